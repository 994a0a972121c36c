"""Records out of the files that real exporters make, one at a time.

JSON lines, a JSON array or object, CSV and YAML; UTF-8 with or without a byte order
mark, UTF-16 with one, or a named encoding; any line end; of any size.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from mneme.errors import InvalidItem
from mneme.move import json_files, yaml_files
from mneme.move.records import LONGEST, MAX_RAW, Record, bad_record


def encoding_of(path: Path) -> str:
    """Return the encoding that a byte order mark names, else strict UTF-8."""
    with path.open("rb") as file:
        start = file.read(4)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return "utf-8-sig"


def json_records(
    path: Path, *, encoding: str, keys: Iterable[str] = ()
) -> Iterator[Record]:
    """Yield the entries of JSON lines, of an array, or of an object's arrays.

    `keys` are the places to look in a single object ("results", "data.items"); an
    object with nothing at any of them is one entry.
    """
    with _opened(path, encoding) as file:
        yield from json_files.records_in(file, tuple(keys))


def yaml_records(
    path: Path, *, encoding: str, keys: Iterable[str] = ()
) -> Iterator[Record]:
    """Yield the entries of a YAML list, or of lists inside an object."""
    with _opened(path, encoding) as file:
        yield from yaml_files.records_in(file, tuple(keys))


def csv_records(path: Path, *, encoding: str) -> Iterator[Record]:
    """Yield the rows of a CSV file with a header; empty cells are left out."""
    csv.field_size_limit(LONGEST)
    with _opened(path, encoding, newline="") as file:
        reader = csv.reader(iter(lambda: file.readline(LONGEST), ""))
        try:
            header = [name.strip() for name in next(reader, [])]
            if len(set(header)) != len(header):
                raise InvalidItem("not_csv", "header", "a column stands twice")
            for row in reader:
                if row:
                    yield _row(reader.line_num, header, row)
        except csv.Error as error:
            raise InvalidItem("not_csv", "file", str(error)) from error


def _opened(path: Path, encoding: str, newline: str | None = None) -> TextIO:
    return path.open(encoding=encoding, errors="strict", newline=newline)


def _row(number: int, header: list[str], row: list[str]) -> Record:
    raw = ",".join(row)
    if len(row) != len(header):
        message = f"has {len(row)} columns, the header {len(header)}"
        return bad_record(number, raw, InvalidItem("wrong_columns", "row", message))
    cells = {name: cell for name, cell in zip(header, row, strict=True) if cell != ""}
    return Record(number, cells, raw[:MAX_RAW])
