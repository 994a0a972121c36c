"""Words about an erased person in other people's lines of files that stay here."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

from memory_core import foreign_json
from memory_core.snapshots import keeping, sealing
from memory_core.snapshots.lines import BadLine, Record, dump, load

Clean = Callable[[Any], Any]
"""A JSON value without the person's names; equal to what it was if there are none."""
VECTOR = ("embedding", "embedding_model")
"""It was made of the words that go; whoever brings the line back makes a new one."""


def redact(memories: Mapping[str, set[UUID]], clean: Clean) -> int:
    """Clean the lines of these memories in all snapshots; return how many changed.

    `memories` are by the external id of their owner.
    """
    return sum(_redact_in(path, memories, clean) for path in keeping.snapshots())


def count(memories: Mapping[str, set[UUID]], clean: Clean) -> int:
    """Return how many lines of these memories still have words to clean away."""
    return sum(_count_in(path, memories, clean) for path in keeping.snapshots())


def drop_bad(names: Callable[[str], bool]) -> int:
    """Drop lines that an import put aside and that name the person; return how many."""
    return sum(
        keeping.rewrite_plain(path, lambda line: not names(_words(line)))
        for path in keeping.quarantined()
        if _names_in(path, names)
    )


def count_bad(names: Callable[[str], bool]) -> int:
    """Return how many such lines there are."""
    return sum(_names_in(path, names) for path in keeping.quarantined())


def _redact_in(path: Path, memories: Mapping[str, set[UUID]], clean: Clean) -> int:
    changed = _count_in(path, memories, clean)
    if changed:

        def lines() -> Iterator[bytes]:
            for line in keeping.stored_lines(path):
                yield _cleaned(line, memories, clean) or line

        keeping.rewrite(path, lines)
    return changed


def _count_in(path: Path, memories: Mapping[str, set[UUID]], clean: Clean) -> int:
    if not memories:
        return 0
    with path.open("rb") as file:
        return sum(_cleaned(line, memories, clean) is not None for line in file)


def _cleaned(
    line: bytes, memories: Mapping[str, set[UUID]], clean: Clean
) -> bytes | None:
    """Return the line without the names, None for one that stays as it is."""
    for owner_id, ids in memories.items():
        if sealing.is_of(line, owner_id) is False:
            continue
        record = _record(line)
        if record is None or record.get("owner_id") != owner_id:
            continue
        if record.get("memory_id") not in {str(one) for one in ids}:
            continue
        cleaned: Record = clean(record)
        if cleaned == record:
            return None
        kept = {name: value for name, value in cleaned.items() if name not in VECTOR}
        return sealing.sealed(owner_id, dump(kept))
    return None


def _record(line: bytes) -> Record | None:
    for plain in sealing.opened([line]):
        try:
            return load(plain)
        except BadLine:
            return None
    return None


def _names_in(path: Path, names: Callable[[str], bool]) -> int:
    with path.open("rb") as file:
        return sum(names(_words(line)) for line in file)


def _words(line: bytes) -> str:
    """Return the text of a line that was put aside, with and without its escapes.

    It is looked at as text: much of what was put aside is no JSON.
    """
    text = line.decode("utf-8", "replace")
    with suppress(ValueError, LookupError, TypeError):
        text = str(foreign_json.loads(text)["raw"])
    return f"{text}\n{foreign_json.unescaped(text)}"
