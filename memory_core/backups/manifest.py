"""What lies beside a dump: when, of which installation and schema, and its checksum."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from memory_core import digests, ledger
from memory_core.backups import programs
from memory_core.backups.errors import BackupError

NAME, DUMP = "manifest.json", "database.dump"
FORMAT = "mneme-backup-1"
PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Manifest:
    """One backup as its folder tells it. Moments are ISO 8601."""

    id: str
    taken_at: str
    expires_at: str
    installation: str
    server: int
    migrations: list[list[str]]
    ledger_position: int
    bytes: int
    sha256: str
    format: str = FORMAT

    @property
    def moment(self) -> datetime:
        """When the dump began: later changes are not in it."""
        return datetime.fromisoformat(self.taken_at)


def describe(dump: Path, *, name: str, taken_at: datetime, until: datetime) -> Manifest:
    """Return the manifest of a finished dump of this database."""
    return Manifest(
        id=name,
        taken_at=taken_at.isoformat(),
        expires_at=until.isoformat(),
        installation=digests.installation(),
        server=programs.server_version(),
        migrations=sorted([app, one] for app, one in _applied()),
        ledger_position=ledger.head().position,
        bytes=dump.stat().st_size,
        sha256=checksum(dump),
    )


def write(manifest: Manifest, place: Path) -> None:
    """Write it beside the dump."""
    (place / NAME).write_text(json.dumps(asdict(manifest), indent=1))


def read(place: Path) -> Manifest:
    """Return the manifest in a folder; BackupError if there is no backup in it."""
    try:
        manifest = Manifest(**json.loads((place / NAME).read_text()))
    except FileNotFoundError:
        raise BackupError(f"There is no backup in {place}.") from None
    except (ValueError, TypeError):
        raise BackupError(f"{place / NAME} cannot be read.") from None
    if manifest.format != FORMAT:
        raise BackupError(f"{place} was made by another version of Mneme.")
    return manifest


def check(manifest: Manifest, place: Path) -> None:
    """Raise BackupError unless the dump is whole, ours, and not of a newer schema."""
    if manifest.installation != digests.installation():
        raise BackupError(
            "The backup is of another installation: digests made with its keys would "
            "fit nothing here. Put its key files into MNEME_KEYS_DIR first."
        )
    known = {(app, name) for app, name in MigrationLoader(None).disk_migrations}
    ours = {app for app, _ in known}
    unknown = [
        one for one in manifest.migrations if one[0] in ours and tuple(one) not in known
    ]
    if unknown:
        raise BackupError("The backup was made by a newer version of Mneme.")
    try:
        found = checksum(place / DUMP)
    except OSError as error:
        raise BackupError(f"{place / DUMP} cannot be read: {error.strerror}.") from None
    if found != manifest.sha256:
        raise BackupError(f"{place / DUMP} is damaged: its checksum differs.")


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _applied() -> Iterator[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations")
        yield from cursor.fetchall()
