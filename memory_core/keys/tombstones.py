"""The keys of tombstones and the digests made with them.

A tombstone keeps HMAC-SHA-256 of an erased identifier. An old key stays in use as long
as a tombstone made with it stands: the identifier is gone, so nobody can digest it
anew. A rotation therefore adds a key, and each check tries all of them.
"""

import hmac
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from memory_core import digests
from memory_core.config import keys
from memory_core.keys.canonical import canonical, readings

FOLDER = "tombstones"
FIRST = "t1"
SETTLED_NS = 1_000_000_000
"""A folder that changed less than this ago is read again: its time stamp is coarse."""


@dataclass(frozen=True, slots=True)
class Digest:
    """What stands for an identifier, and the id of the key that it was made with."""

    kid: str
    digest: bytes
    kind: str = "owner"


@dataclass(slots=True)
class _Cached:
    stamp: int = 0
    settled: bool = False
    keys: tuple[tuple[str, bytes], ...] = ()


_cached = _Cached()


def live_keys() -> tuple[tuple[str, bytes], ...]:
    """Return `(kid, key)` of all keys, the newest first; makes the first one."""
    if settings.TOMBSTONE_KEYS:
        return tuple(settings.TOMBSTONE_KEYS)
    folder = _folder()
    try:
        stamp = folder.stat().st_mtime_ns
    except FileNotFoundError:
        keys.load_or_create(folder, FIRST)
        return live_keys()
    if not _cached.settled or _cached.stamp != stamp:
        _cached.settled = time.time_ns() - stamp > SETTLED_NS
        _cached.keys, _cached.stamp = _read(folder), stamp
    return _cached.keys


def current_kid() -> str:
    """Return the id of the key that new tombstones are made with."""
    return live_keys()[0][0]


def digests_of(kind: str, identifier: str) -> list[Digest]:
    """Return the digests of an identifier under all live keys, the newest first."""
    return _digests(kind, canonical(kind, identifier))


def current(kind: str, identifier: str) -> Digest:
    """Return the digest that a new tombstone of this identifier gets."""
    return digests_of(kind, identifier)[0]


def standing_for(owner_id: str) -> list[Digest]:
    """Return all digests under which a tombstone of this owner may stand.

    Those of the owner id, and of the e-mail address or telephone number that it is.
    """
    return [
        digest for kind, form in readings(owner_id) for digest in _digests(kind, form)
    ]


def rotate() -> str:
    """Make a new key and return its id; ValueError if the keys are not in files."""
    if settings.TOMBSTONE_KEYS:
        raise ValueError("The keys stand in MNEME_TOMBSTONE_KEYS; put a new one first.")
    number = int(current_kid().removeprefix("t")) + 1
    keys.load_or_create(_folder(), f"t{number}")
    return f"t{number}"


def retire(kid: str) -> None:
    """Delete a key that no tombstone stands under; the newest one stays."""
    if settings.TOMBSTONE_KEYS or kid == current_kid():
        raise ValueError("This key cannot be retired here.")
    (_folder() / kid).unlink()


def _digests(kind: str, form: str) -> list[Digest]:
    message = b"\x00".join(
        [_installation(), kind.encode(), form.encode("utf-8", "surrogatepass")]
    )
    return [
        Digest(kid, hmac.digest(key, message, "sha256"), kind)
        for kid, key in live_keys()
    ]


def _installation() -> bytes:
    return _installation_of(settings.DIGEST_KEY)


@lru_cache(maxsize=1)
def _installation_of(key: bytes) -> bytes:
    return digests.installation().encode()


def _read(folder: Path) -> tuple[tuple[str, bytes], ...]:
    names = [path.name for path in folder.iterdir() if path.name[0] != "."]
    if not names:
        keys.load_or_create(folder, FIRST)
        names = [FIRST]
    names.sort(key=lambda name: int(name.removeprefix("t")), reverse=True)
    return tuple((name, keys.load_or_create(folder, name)) for name in names)


def _folder() -> Path:
    return Path(settings.KEYS_DIR) / FOLDER
