"""JSON lines, arrays and objects, read value by value: a file is never held whole."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any, TextIO

from mneme.errors import InvalidItem
from mneme.move.records import (
    DUPLICATE,
    LONGEST,
    Record,
    bad_record,
    not_json,
    record_of,
    too_long,
)

CHUNK = 65_536
SLACK = 8  # a number may go on behind what was read of it so far: "1", "1.5", "1.5e+3"
SPACE = " \t\r\n\ufeff"

Found = tuple[Any, str]
"""A value and its text."""


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        made[DUPLICATE] = True
    return made


_DECODER = json.JSONDecoder(
    parse_constant=lambda name: None,  # NaN in an export means "no value"
    object_pairs_hook=_object_of,
)


def records_in(file: TextIO, keys: Collection[str]) -> Iterator[Record]:
    """Yield the entries of JSON lines, of an array, or of an object's arrays.

    `keys` are the places to look in a single object ("results", "data.items"); an
    object with nothing at any of them is one entry.
    """
    if _is_lines(file):
        file.seek(0)
        yield from _line_by_line(file)
        return
    file.seek(0)
    window = _Window(file)
    number = 0
    try:
        for number, (value, raw) in enumerate(_entries(window, keys), 1):
            yield record_of(number, value, raw)
        if not number and window.first == "{":
            file.seek(0)
            window = _Window(file)
            yield record_of(1, *window.value())
    except InvalidItem as error:
        yield bad_record(number + 1, window.rest(), error)


class _Window:
    """The part of a file that is looked at; it moves on and forgets what was read."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._text = ""
        self._at = 0
        self._is_last = False
        self.first = self.ahead()

    def ahead(self, skipped: str = SPACE) -> str:
        """Return the next character that is none of the skipped, "" at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in skipped:
                    return self._text[self._at]
                self._at += 1
            if not self._read_on():
                return ""

    def step(self) -> None:
        """Go one character on."""
        self._at += 1

    def value(self) -> Found:
        """Return the value that begins here; InvalidItem if there is none."""
        self.ahead()
        while True:
            found = self._try()
            if found is not None:
                return found
            if len(self._text) - self._at > LONGEST:
                raise too_long()
            if not self._read_on():
                found = self._try()
                if found is None:
                    raise not_json()
                return found

    def rest(self) -> str:
        """Return what was read and not understood."""
        return self._text[self._at :]

    def _try(self) -> Found | None:
        try:
            value, end = _DECODER.raw_decode(self._text, self._at)
        except RecursionError:
            raise not_json() from None
        except ValueError:
            return None
        if end > len(self._text) - SLACK and not self._is_last:
            return None
        raw, self._at = self._text[self._at : end], end
        return value, raw

    def _read_on(self) -> bool:
        """Read as much again as there is, so that long values cost twice, not more."""
        left = self._text[self._at :]
        more = self._file.read(max(CHUNK, len(left)))
        self._text, self._at = left + more, 0
        self._is_last = not more
        return bool(more)


def _entries(window: _Window, keys: Collection[str]) -> Iterator[Found]:
    if window.first == "[":
        yield from _in_array(window)
    elif window.first == "{" and keys:
        yield from _in_object(window, keys)
    elif window.first not in ("{", ""):
        yield window.value()


def _in_array(window: _Window) -> Iterator[Found]:
    window.step()
    while window.ahead(SPACE + ",") not in ("]", ""):
        yield window.value()
    window.step()


def _in_object(
    window: _Window, keys: Collection[str], above: str = ""
) -> Iterator[Found]:
    window.step()
    while window.ahead(SPACE + ",") not in ("}", ""):
        name, _ = window.value()
        if window.ahead() != ":":
            raise not_json()
        window.step()
        place, first = f"{above}{name}", window.ahead()
        if first == "[" and place in keys:
            yield from _in_array(window)
        elif first == "{" and any(key.startswith(f"{place}.") for key in keys):
            yield from _in_object(window, keys, f"{place}.")
        else:
            window.value()
    window.step()


def _is_lines(file: TextIO) -> bool:
    """Say whether the file has an object a line rather than one value in all."""
    filled = (line for line in _lines(file) if line[0])
    first, is_whole = next(filled, ("", False))
    return is_whole and first.endswith("}") and next(filled, None) is not None


def _line_by_line(file: TextIO) -> Iterator[Record]:
    for number, (text, is_whole) in enumerate(_lines(file), 1):
        if not is_whole:
            yield bad_record(number, text, too_long())
        elif text:
            yield _decoded(number, text)


def _lines(file: TextIO) -> Iterator[tuple[str, bool]]:
    """Yield each line without its blanks, and whether it is there to its end."""
    while line := file.readline(LONGEST):
        is_whole = line.endswith("\n") or len(line) < LONGEST
        yield line.strip(SPACE), is_whole
        while not is_whole and (line := file.readline(LONGEST)):
            is_whole = line.endswith("\n")


def _decoded(number: int, text: str) -> Record:
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return bad_record(number, text, not_json())
    if end != len(text):
        return bad_record(number, text, not_json())
    return record_of(number, value, text)
