"""PostgreSQL's own programs, and how they reach the database as its owner."""

import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import connection

from memory_core.backups.errors import BackupError
from memory_core.config.databases import database
from memory_core.config.embedded import postgres
from memory_core.config.embedded.children import clean_environment
from memory_core.config.embedded.errors import CannotStart


def folder() -> Path:
    """Return where pg_dump, pg_restore and psql are that know this server.

    The embedded ones if they are new enough, else those in PATH; BackupError if none.
    """
    needed = server_version() // 10000
    for place in _places():
        if _major(place) >= needed:
            return place
    raise BackupError(
        f"The server is PostgreSQL {needed}; put pg_dump, pg_restore and psql of "
        f"version {needed} or newer into PATH."
    )


def server_version() -> int:
    """Return the server's version as PostgreSQL numbers it, such as 180006."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        return int(cursor.fetchone()[0])


def environment() -> dict[str, str]:
    """Return the variables by which the programs find the database.

    A password in the command line would be seen by everybody on the machine.
    """
    where = database(settings.DATABASE_URL, process="owner", key=settings.DIGEST_KEY)
    values = {
        "PGDATABASE": settings.DATABASES["default"]["NAME"],
        "PGUSER": where["USER"],
        "PGPASSWORD": where["PASSWORD"],
        "PGHOST": where["HOST"],
        "PGPORT": where["PORT"],
        "PGSSLMODE": where["OPTIONS"].get("sslmode", ""),
        "PGOPTIONS": "-c maintenance_work_mem=256MB -c row_security=off",
    }
    given = {name: value for name, value in values.items() if value}
    return {**clean_environment(), **given}


def first_fault(errors: bytes) -> str:
    """Return the first complaint of a program; further lines may quote rows."""
    lines = [line for line in errors.decode(errors="replace").splitlines() if line]
    faults = [line for line in lines if re.search(r"(?i)\b(error|fatal)\b", line)]
    return (faults or lines or ["no reason given"])[0][:300]


def _places() -> list[Path]:
    places = []
    with suppress(CannotStart):
        places.append(postgres.programs())
    if found := shutil.which("pg_dump"):
        places.append(Path(found).parent)
    return places


def _major(place: Path) -> int:
    done = subprocess.run(
        [str(place / "pg_dump"), "--version"],
        capture_output=True,
        text=True,
        check=False,
    )
    number = re.search(r"(\d+)(?:\.\d+)?", done.stdout)
    return int(number[1]) if number else 0
