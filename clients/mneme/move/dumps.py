"""A dump with all that is said about it: where it is, of which system, whose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from mneme.errors import InvalidItem
from mneme.items import MemoryItem
from mneme.move.mapped import FieldMap, mapper_of
from mneme.move.mappers import MAPPERS, PLACES, Mapper
from mneme.move.reading import (
    csv_records,
    encoding_of,
    json_records,
    yaml_records,
)
from mneme.move.records import Record
from mneme.move.values import Defaults, zone_of

MAPPED = ("csv", "yaml", "json")
SYSTEMS = tuple(dict.fromkeys((*MAPPERS, *MAPPED)))


@dataclass(frozen=True)
class Dump:
    """A file of another system; `system` is one of `SYSTEMS`.

    `owner_id` is for records that name nobody, `zone` for times without an offset,
    `moment` for records without any time. `mapping` is needed for csv, yaml and json.
    `name` is what the file is called, where its path says nothing.
    """

    path: Path
    system: str
    moment: datetime
    owner_id: str = ""
    namespace: str = ""
    zone: str = ""
    encoding: str = ""
    mapping: FieldMap | None = None
    name: str = ""

    def records(self) -> Iterator[Record]:
        """Yield the entries; `ValueError` for a file that is not what is said of it."""
        encoding = self.encoding or encoding_of(self.path)
        places = self.mapping.rows if self.mapping else PLACES[self.system]
        suffix = Path(self.name or self.path.name).suffix.lower()
        try:
            if self.system == "csv" or suffix == ".csv":
                yield from csv_records(self.path, encoding=encoding)
            elif self.system == "yaml":
                yield from yaml_records(self.path, encoding=encoding, keys=places)
            else:
                yield from json_records(self.path, encoding=encoding, keys=places)
        except UnicodeDecodeError as error:
            message = f"the file is not {encoding}; name its encoding (--encoding)"
            raise ValueError(message) from error
        except LookupError as error:
            raise ValueError(str(error)) from error

    def mapper(self) -> Mapper:
        """Return what makes memories of an entry; `ValueError` without its mapping."""
        if self.mapping:
            return mapper_of(self.mapping, self.system)
        if self.system in MAPPED:
            raise ValueError(f"a {self.system} file needs a mapping")
        return MAPPERS[self.system]

    def defaults(self) -> Defaults:
        """Return what holds for the whole file; `ValueError` for an unknown zone."""
        return Defaults(
            owner_id=self.owner_id,
            zone=zone_of(self.zone) if self.zone else None,
            namespace=self.namespace,
            moment=self.moment,
        )

    def memories(self) -> Iterator[tuple[Record, MemoryItem | InvalidItem]]:
        """Yield each entry with a memory of it, or with why there is none."""
        return outcomes(self.records(), self.mapper(), self.defaults())


def outcomes(
    records: Iterable[Record], mapper: Mapper, defaults: Defaults
) -> Iterator[tuple[Record, MemoryItem | InvalidItem]]:
    """Yield each entry with a memory of it, or with why there is none."""
    for record in records:
        try:
            if record.error is not None or record.value is None:
                raise record.error or InvalidItem("not_an_object", "line", "is empty")
            items = mapper(record.value, defaults)
        except InvalidItem as error:
            yield record, error
            continue
        for item in items:
            yield record, replace(item, timestamp=item.timestamp or defaults.moment)
