"""YAML lists, read entry by entry; only what an alias may name again is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, TextIO

from mneme.errors import InvalidItem
from mneme.move.records import LONGEST, MAX_RAW, Record, bad_record, record_of, too_long

MOST_VALUES = 10_000  # in one record


def records_in(file: TextIO, keys: Collection[str]) -> Iterator[Record]:
    """Yield the entries of a YAML list, or of lists inside an object.

    `keys` as in `json_files.records_in`. InvalidItem for a file that is no YAML.
    """
    try:
        import yaml
    except ImportError as error:
        raise ValueError("install mneme-client[yaml] first") from error
    try:
        number = 0
        for number, value in enumerate(_entries(yaml, file, keys), 1):
            yield _record(number, value)
        if not number:
            yield _record(1, _whole(yaml, file))
    except (yaml.YAMLError, RecursionError) as error:
        raise InvalidItem("not_yaml", "file", str(error)) from error


def _record(number: int, value: Any) -> Record:
    if _is_small(value):
        return record_of(number, value, str(value))
    fault = InvalidItem("too_long", "record", "is too large with its aliases")
    return bad_record(number, "", fault)


def _whole(yaml: Any, file: TextIO) -> Any:
    file.seek(0)
    text = file.read(LONGEST + 1)
    if len(text) > LONGEST:
        raise too_long("file")
    return yaml.safe_load(text)


def _entries(yaml: Any, file: TextIO, keys: Collection[str]) -> Iterator[Any]:
    loader = yaml.SafeLoader(file)
    try:
        loader.get_event()  # the stream begins
        if loader.check_event(yaml.DocumentStartEvent):
            loader.get_event()
            yield from _at(yaml, loader, keys, None)
    finally:
        loader.dispose()


def _at(
    yaml: Any, loader: Any, keys: Collection[str], place: str | None
) -> Iterator[Any]:
    """Yield the entries at a place, None for the whole; its value comes next."""
    is_wanted = place is None or place in keys
    leads_on = place is None or any(key.startswith(f"{place}.") for key in keys)
    if is_wanted and loader.check_event(yaml.SequenceStartEvent):
        loader.get_event()
        while not loader.check_event(yaml.SequenceEndEvent):
            yield loader.construct_document(loader.compose_node(None, 0))
        loader.get_event()
    elif leads_on and loader.check_event(yaml.MappingStartEvent):
        loader.get_event()
        while not loader.check_event(yaml.MappingEndEvent):
            name = loader.construct_document(loader.compose_node(None, None))
            yield from _at(
                yaml, loader, keys, f"{name}" if place is None else f"{place}.{name}"
            )
        loader.get_event()
    else:
        loader.compose_node(None, None)


def _is_small(value: Any) -> bool:
    """Say whether a record has few values, those behind aliases counted each time.

    A few lines of aliases of aliases stand for billions of values, or for themselves.
    """
    waiting, left = [value], MOST_VALUES
    while waiting and left:
        one, left = waiting.pop(), left - 1
        if isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, str):
            left = max(0, left - len(one) // MAX_RAW)
    return not waiting
