"""Files of a size in the forms that exporters write, of seeded sentences."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from benchmarks.speed.corpus import Sentences

PADDING = "one more sentence of the same conversation " * 40
"""Makes records as long as chunks of a conversation are."""


def _records() -> Iterator[dict[str, str]]:
    sentences = Sentences(seed=5)
    for number in count():
        [text] = sentences.take(1)
        yield {
            "id": f"line-{number}",
            "user_id": f"person-{number % 500}",
            "memory": f"{text} {PADDING}",
            "created_at": "2026-02-01T10:00:00Z",
        }


def _as_lines() -> Iterator[str]:
    return (f"{json.dumps(one, ensure_ascii=False)}\n" for one in _records())


def _as_array() -> Iterator[str]:
    yield "["
    yield from (f"{json.dumps(one, ensure_ascii=False)}," for one in _records())


def _as_object() -> Iterator[str]:
    yield '{"version": 2, "results": '
    yield from _as_array()


def _as_yaml() -> Iterator[str]:
    for one in _records():
        fields = (
            f"  {name}: {json.dumps(value, ensure_ascii=False)}\n"
            for name, value in one.items()
        )
        yield "-\n" + "".join(fields)


FORMS: dict[str, tuple[Callable[[], Iterator[str]], str, str, str]] = {
    "lines": (_as_lines, "jsonl", "mem0", '{"id": "end"}'),
    "array": (_as_array, "json", "mem0", '{"id": "end"}]'),
    "object": (_as_object, "json", "mem0", '{"id": "end"}]}'),
    "yaml": (_as_yaml, "yaml", "yaml", ""),
}
"""By name: the pieces, the suffix of the file, its system, and how it ends."""


def write(folder: Path, form: str, size: int) -> Path:
    """Return a new file of at least so many bytes."""
    pieces, suffix, _, end = FORMS[form]
    path, written = folder / f"{form}.{suffix}", 0
    with path.open("w", encoding="utf-8") as file:
        for piece in pieces():
            written += len(piece.encode())
            file.write(piece)
            if written >= size:
                break
        file.write(end)
    return path
