"""Lines of files that stay here, each encrypted with its owner's key.

Whoever destroys the key has made the person's lines unreadable in every copy of the
file. A sealed line names its owner by a keyed digest only.
"""

import base64
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO

from memory_core.keys import data

MARK = b'{"key":"'


def sealed(owner_id: str, line: bytes) -> bytes:
    """Return the line to be stored, empty if the owner's key was destroyed."""
    name = data.of_owner(owner_id)
    try:
        box = base64.b64encode(data.seal(name, line))
    except data.KeyDestroyed:
        return b""
    return b'{"key":"%s","sealed":"%s"}\n' % (data.reference(name).encode(), box)


def plain(line: bytes) -> bytes:
    """Return a line as it was exported; one that is not sealed as it is.

    KeyDestroyed if the owner was erased, NotSealed for a line that was changed.
    """
    if not line.startswith(MARK):
        return line
    try:
        stored = json.loads(line)
        reference, box = stored["key"], base64.b64decode(stored["sealed"])
    except (ValueError, KeyError, TypeError):
        raise data.NotSealed("not a sealed line") from None
    return data.unseal_by(reference, box)


def opened(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines as they were exported, without those that nobody can read."""
    for line in lines:
        try:
            yield plain(line)
        except (data.KeyDestroyed, data.NotSealed):
            continue


def is_of(line: bytes, owner_id: str) -> bool | None:
    """Return whether a sealed line is the owner's, None for a line that is plain."""
    if not line.startswith(MARK):
        return None
    reference = data.reference(data.of_owner(owner_id)).encode()
    return line.startswith(MARK + reference)


class Opened:
    """Some lines of a stored file, read as they were exported."""

    def __init__(self, file: IO[bytes], *, skip: int, lines: int) -> None:
        self._file = file
        self._lines = islice(file, skip, skip + lines)
        self._rest = b""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes, fewer at the end."""
        parts = [self._rest]
        found = len(self._rest)
        while found < size and (line := next(self._lines, b"")):
            parts.append(plain(line))
            found += len(parts[-1])
        everything = b"".join(parts)
        self._rest = everything[size:]
        return everything[:size]

    def close(self) -> None:
        """Close the file."""
        self._file.close()
