"""What lies outside the database: every key of Valkey, every file of this service."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from memory_core import digests, foreign_json, valkey
from memory_core.contracts.erasure import Holds, Residue, Subject
from memory_core.erasure.patterns import pattern_of_all

SCANNED_AT_ONCE = 1_000
SESSION, OWNED, DUE = b"mneme:session", b"mneme:sessions:of:", b"mneme:sessions:due"
OF_STAFF = "mneme:cache"
"""Counters of the console's sign-in."""
FOLDERS = ("logs", "quarantine", "imports", "uploads")
ELSEWHERE = ("AUDIT_DIR", "LEDGER_DIR", "SNAPSHOT_DIR", "COLD_DIR")

Reading = Callable[[bytes], Any]


def in_valkey(subject: Subject, holds: Holds) -> Iterator[Residue]:
    """Yield how many keys name the person, in the key or in the value.

    A hold on an owner or on a namespace keeps sessions. Raises valkey.Unavailable.
    """
    look = _finder(subject)
    marks = [digests.of_owner(one).hex() for one in subject.owner_ids]
    marks += [f":{row}:" for row in subject.rows]
    found = 0
    for key in _keys():
        name = key.decode("utf-8", "surrogateescape")
        if name.startswith(OF_STAFF) or _is_held(key, subject, holds):
            continue
        named = name.startswith("mneme:") and any(mark in name for mark in marks)
        found += named or look(name) or look(_value(key))
    yield Residue("valkey", "keys", found)


def in_files(subject: Subject, holds: Holds) -> Iterator[Residue]:
    """Yield how many lines of each folder name the person.

    In the copies of other people's memories the lines of those are not looked at: what
    was to be kept there names the person rightly.
    """
    look = _finder(subject)
    if set(subject.rows) & set(holds.owners):
        return
    for folder in _folders():
        found = 0
        for path in sorted(folder.rglob("*")) if folder.exists() else ():
            if path.is_file():
                found += look(path.name) + _lines(path, look, subject)
        yield Residue("files", folder.name, found)


def _lines(path: Path, look: Callable[[str], bool], subject: Subject) -> int:
    with path.open("rb") as file:
        return sum(
            look(line.decode("utf-8", "surrogateescape"))
            and not _is_of_another(line, subject)
            for line in file
        )


def _is_of_another(line: bytes, subject: Subject) -> bool:
    try:
        value = foreign_json.loads(line)
    except ValueError:
        return False
    owner = value.get("owner_id") if isinstance(value, dict) else None
    return owner is not None and owner not in subject.owner_ids


def _folders() -> list[Path]:
    own = [Path(settings.HOME) / name for name in FOLDERS]
    return own + [Path(getattr(settings, name)) for name in ELSEWHERE]


def _finder(subject: Subject) -> Callable[[str], bool]:
    pattern = pattern_of_all(subject.names)
    if not pattern:
        return lambda text: False
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda text: bool(compiled.search(text))


def _keys() -> Iterator[bytes]:
    client: Any = valkey.client()
    yield from client.scan_iter(count=SCANNED_AT_ONCE)


def _value(key: bytes) -> str:
    """Return what is stored under a key, of whatever type, as text."""
    client: Any = valkey.client()
    readings: dict[bytes, Reading] = {
        b"string": client.get,
        b"list": lambda key: client.lrange(key, 0, -1),
        b"set": client.smembers,
        b"zset": lambda key: client.zrange(key, 0, -1),
        b"hash": client.hgetall,
        b"stream": client.xrange,
    }
    read: Reading = readings.get(client.type(key), lambda key: b"")
    return _text(read(key))


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, dict):
        return " ".join(map(_text, (*value, *value.values())))
    if isinstance(value, list | set | tuple):
        return " ".join(map(_text, value))
    return str(value or "")


def _is_held(key: bytes, subject: Subject, holds: Holds) -> bool:
    """Sessions are held with their owner or namespace, and so is the list of them."""
    if not key.startswith(SESSION) or key == DUE:
        return False
    if set(subject.rows) & set(holds.owners):
        return True
    client: Any = valkey.client()
    listed = client.smembers(key) if key.startswith(OWNED) else [key]
    held = {str(one).encode() for one in holds.namespaces}
    return bool(listed) and all(one.split(b":")[3] in held for one in listed)
