"""Windows over a text: sentences, pairs of them and short spans of long ones.

Padding cannot dilute what is judged in pieces.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# A full stop ends a sentence unless a letter or digit follows, as in a file's name.
_SENTENCE = re.compile(
    r"[^。！？!?；;\n.]+(?:\.(?=[a-z0-9_/])[^。！？!?；;\n.]*)*[。！？!?；;.\n]*"
)
_MERGE_BELOW = 14  # bytes; "OK." and "好的。" belong to what follows them
_WHOLE_UP_TO = 480
_PAIR_UP_TO = 360
_SPAN, _STEP = 200, 100


@dataclass(frozen=True, slots=True)
class Window:
    """A piece [start, end) of a text and, by index, the basic pieces it consists of."""

    start: int
    end: int
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The basic pieces of a text and the windows built of them."""

    pieces: tuple[tuple[int, int], ...]
    windows: tuple[Window, ...]


def layout(text: str) -> Layout:
    """Return the windows of `text`; their total length is at most about five texts.

    Pieces are sentences, and short overlapping spans of a long sentence.
    """
    sentences = _sentences(text)
    pieces = list(sentences)
    windows = [Window(start, end, (i,)) for i, (start, end) in enumerate(sentences)]
    for first, second in itertools.pairwise(windows[:]):
        if second.end - first.start <= _PAIR_UP_TO:
            windows.append(Window(first.start, second.end, first.parts + second.parts))
    for start, end in _spans(sentences):
        windows.append(Window(start, end, (len(pieces),)))
        pieces.append((start, end))
    if len(sentences) > 2 and len(text) <= _WHOLE_UP_TO:
        windows.append(Window(0, len(text), tuple(range(len(sentences)))))
    return Layout(tuple(pieces), tuple(windows))


def _sentences(text: str) -> list[tuple[int, int]]:
    """Return the sentences' places, short ones joined to the next."""
    places: list[tuple[int, int]] = []
    start: int | None = None
    end = 0
    for match in _SENTENCE.finditer(text):
        start = match.start() if start is None else start
        end = match.end()
        if len(text[start:end].encode()) >= _MERGE_BELOW:
            places.append((start, end))
            start = None
    if start is not None and text[start:end].strip():
        places.append((start, end))
    return places


def _spans(sentences: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in sentences:
        if end - start > _SPAN + _STEP:
            for at in range(start, end - _STEP, _STEP):
                yield at, min(end, at + _SPAN)
