"""Dumps of other systems: read and mapped by the client library, record by record.

The library is in `clients/` of this repository and knows nothing of the service
(docs/decisions/0060-copies-and-moving.md).
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from mneme.errors import InvalidItem
from mneme.items import MemoryItem
from mneme.move.dumps import MAPPED, SYSTEMS, Dump
from mneme.move.mapped import map_of
from mneme.move.values import zone_of

from memory_core.exceptions import InvalidInput
from memory_core.snapshots.keeping import write
from memory_core.snapshots.lines import BadLine
from memory_core.snapshots.pieces import mapped_line

NATIVE = "mneme"
SHOWN_RAW = 600
"""Characters of a record that a sample shows."""
MOST_TRIED = 20
"""Records that are looked at for the names of columns."""

__all__ = [
    "MAPPED",
    "NATIVE",
    "SYSTEMS",
    "Said",
    "Shown",
    "checked",
    "columns",
    "convert",
    "sample",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a person says about an uploaded file; `moment` is for records without one.

    `owner_id` is for records that name nobody, `zone` for times without an offset.
    """

    system: str
    moment: datetime
    owner_id: str = ""
    zone: str = ""
    encoding: str = ""
    mapping: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A record of a sample: where it stands, how it is there, what is made of it."""

    line: int
    raw: str
    memory: dict[str, Any] | None
    fault: str = ""
    field: str = ""


def checked(said: Said) -> None:
    """Raise InvalidInput, with the field, for what does not fit."""
    if said.system not in SYSTEMS:
        raise InvalidInput("There is no such system.", field="system")
    try:
        if said.zone:
            zone_of(said.zone)
    except ValueError as error:
        raise InvalidInput(_sentence(error), field="zone", why="no_such_zone") from None
    try:
        "-".encode(said.encoding or "utf-8")
    except (LookupError, ValueError):  # "undefined" is an encoding that is none
        raise InvalidInput(
            "There is no such encoding.", field="encoding", why="no_such_encoding"
        ) from None
    try:
        _dump(Path("unread"), "", said).mapper()
    except (ValueError, TypeError, AttributeError) as error:
        raise InvalidInput(
            _sentence(error), field="mapping", why="bad_mapping"
        ) from None


def sample(path: Path, name: str, said: Said, *, size: int) -> list[Shown]:
    """Return the first records with what is made of them; raises InvalidInput."""
    return [_shown(*one) for one in islice(_memories(path, name, said), size)]


def columns(
    path: Path, name: str, system: str, moment: datetime
) -> tuple[list[str], str]:
    """Return the names in the first record that can be read, and where the rows are.

    That is empty for a list, else the name of the first list in the object. There are
    no names in a file that cannot be read.
    """
    mapping = {"fields": {"content": "-"}}
    said = Said(
        system=system if system in MAPPED else "json", moment=moment, mapping=mapping
    )
    with suppress(ValueError, InvalidItem):
        for record in islice(_dump(path, name, said).records(), MOST_TRIED):
            if record.value is not None:
                return _names_in(record.value)
    return [], ""


def _names_in(value: Mapping[str, Any]) -> tuple[list[str], str]:
    for name, inner in value.items():
        if isinstance(inner, list) and inner and isinstance(inner[0], Mapping):
            return list(inner[0]), name
    return list(value), ""


def convert(
    path: Path, name: str, said: Said, to: Path, tell: Callable[[int], None]
) -> int:
    """Write the mapped file of a dump and return how many lines it has.

    `tell` is told the number of each line. Raises InvalidInput for a file that is not
    what is said of it.
    """
    count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        for line, raw, found in _memories(path, name, said):
            count += 1
            tell(count)
            yield mapped_line(line, raw, found)

    write(to, lines())
    return count


def _memories(
    path: Path, name: str, said: Said
) -> Iterator[tuple[int, str, dict[str, Any] | BadLine]]:
    try:
        for record, found in _dump(path, name, said).memories():
            if isinstance(found, MemoryItem):
                yield record.line, record.raw, found.to_dict()
            else:
                fault = BadLine(found.code, found.message, found.field)
                yield record.line, record.raw, fault
    except (ValueError, InvalidItem) as error:
        raise InvalidInput(_sentence(error), field="file", why="unreadable") from None


def _sentence(error: Exception) -> str:
    text = str(error).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _dump(path: Path, name: str, said: Said) -> Dump:
    return Dump(
        path=path,
        name=name,
        system=said.system,
        moment=said.moment,
        owner_id=said.owner_id,
        zone=said.zone,
        encoding=said.encoding,
        mapping=map_of(said.mapping) if said.mapping else None,
    )


def _shown(line: int, raw: str, found: dict[str, Any] | BadLine) -> Shown:
    if isinstance(found, BadLine):
        return Shown(line, raw[:SHOWN_RAW], None, found.code, found.field)
    return Shown(line, raw[:SHOWN_RAW], found)
