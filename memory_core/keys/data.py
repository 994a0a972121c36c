"""One key a person for copies that cannot be deleted row by row (AES-256-GCM).

Snapshots, the cold copy, raw turns and the case file are sealed with it. Whoever
destroys the key has made every copy unreadable, wherever it lies. The keys are files
of their own, not in the database and not in its backups.
"""

import os
import secrets
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from memory_core import digests

FOLDER = "data"
FORMAT = b"\x01"
KID_BYTES, NONCE_BYTES, KEY_BYTES = 8, 12, 32
DESTROYED = b"destroyed "


class KeyDestroyed(Exception):
    """The key is gone and with it everything that was sealed."""


class NotSealed(ValueError):
    """The bytes are no sealed data of this name, or they were changed."""


@dataclass(frozen=True, slots=True)
class DataKey:
    """A key of 32 bytes and its id, 16 hex digits."""

    kid: str
    secret: bytes


def of_owner(owner_id: str) -> str:
    """Return the name of an owner's key."""
    return f"owner:{owner_id}"


def reference(name: str) -> str:
    """Return what may stand for a name beside its sealed data: 64 hex digits."""
    return digests.keyed("data key", name).hex()


def data_key(name: str) -> DataKey:
    """Return the key of that name, made on first use; KeyDestroyed if it is gone."""
    path = _path(name)
    try:
        return _parsed(path)
    except FileNotFoundError:
        _make(path)
        return _parsed(path)


def seal(name: str, data: bytes) -> bytes:
    """Return `data` encrypted and bound to the name, 37 bytes longer."""
    key = data_key(name)
    nonce = secrets.token_bytes(NONCE_BYTES)
    sealed = AESGCM(key.secret).encrypt(nonce, data, reference(name).encode())
    return FORMAT + bytes.fromhex(key.kid) + nonce + sealed


def unseal(name: str, sealed: bytes) -> bytes:
    """Return the data; KeyDestroyed without the key, NotSealed for other bytes."""
    return unseal_by(reference(name), sealed)


def unseal_by(reference: str, sealed: bytes) -> bytes:
    """Return the same for the reference of a name."""
    start = len(FORMAT) + KID_BYTES
    if sealed[: len(FORMAT)] != FORMAT or len(sealed) < start + NONCE_BYTES:
        raise NotSealed("not sealed data")
    try:
        key = _parsed(_path_of(reference))
    except FileNotFoundError:
        raise KeyDestroyed(reference) from None
    if key.kid != sealed[len(FORMAT) : start].hex():
        raise KeyDestroyed(reference)
    nonce, rest = sealed[start : start + NONCE_BYTES], sealed[start + NONCE_BYTES :]
    try:
        return AESGCM(key.secret).decrypt(nonce, rest, reference.encode())
    except InvalidTag:
        raise NotSealed("changed, or sealed under another name") from None


def destroy(name: str) -> str:
    """Overwrite the key and return its id, "" if there was none.

    No new one is made under this name until `renew`, so that a copy under way at the
    same time cannot bring the person back.
    """
    path = _path(name)
    try:
        kid = _parsed(path).kid
    except FileNotFoundError:
        kid = ""
    except KeyDestroyed:
        return _kid_of_destroyed(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _overwrite(path, DESTROYED + kid.encode())
    _read.cache_clear()
    return kid


def exists(name: str) -> bool:
    """Return whether a key of that name was made and not destroyed."""
    return _path(name).exists() and not is_destroyed(name)


def is_destroyed(name: str) -> bool:
    """Return whether the key of that name was destroyed."""
    try:
        _parsed(_path(name))
    except KeyDestroyed:
        return True
    except FileNotFoundError:
        return False
    return False


def renew(name: str) -> None:
    """Let a new key be made under a name whose key was destroyed."""
    if is_destroyed(name):
        _path(name).unlink()


def _parsed(path: Path) -> DataKey:
    status = path.stat()
    raw = _read(path, status.st_ino, status.st_mtime_ns, status.st_size)
    if raw.startswith(DESTROYED):
        raise KeyDestroyed(path.name)
    kid, _, secret = raw.decode().partition(":")
    return DataKey(kid, bytes.fromhex(secret))


@lru_cache(maxsize=4096)
def _read(path: Path, inode: int, changed: int, size: int) -> bytes:
    return path.read_bytes()


def _kid_of_destroyed(path: Path) -> str:
    return path.read_bytes().removeprefix(DESTROYED).decode()


def _make(path: Path) -> None:
    """Two processes that make it together get the same key."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = f"{secrets.token_hex(KID_BYTES)}:{secrets.token_hex(KEY_BYTES)}"
    draft = _draft(path, text.encode())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _overwrite(path: Path, text: bytes) -> None:
    """Put the text in place at once, then write over the old bytes on the disk."""
    draft = _draft(path, text)
    old = path.open("r+b") if path.exists() else None
    draft.replace(path)
    if old:
        with old:
            old.write(b"\x00" * os.fstat(old.fileno()).st_size)
            old.flush()
            os.fsync(old.fileno())


def _draft(path: Path, text: bytes) -> Path:
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return draft


def _path(name: str) -> Path:
    return _path_of(reference(name))


def _path_of(reference: str) -> Path:
    return Path(settings.KEYS_DIR) / FOLDER / reference[:2] / reference[2:]
