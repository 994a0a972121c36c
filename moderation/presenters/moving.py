"""What the pages of moving show: records as they become memories, changes, faults."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from memory_core.models import Category, Job, Memory
from memory_core.snapshots import foreign, uploads
from memory_core.snapshots.foreign import Shown
from memory_core.snapshots.looks import remembered
from memory_core.snapshots.report import Outcome, Report

MOST_CHANGES = 50
MOST_FAULTS = 20
SAMPLE = 5

# Columns of a memory that a line calls otherwise.
CALLED = {"category_id": "type", "observed_at": "timestamp"}
UNSHOWN = ("schema_version", "embedding")
USUAL = {"tier": "long", "status": "active"}
LIKELY = {
    "content": ("content", "text", "memory", "note", "fact", "value", "内容"),
    "owner_id": ("owner_id", "user_id", "user", "customer", "owner", "用户"),
    "timestamp": ("timestamp", "created_at", "updated_at", "date", "time", "时间"),
    "external_id": ("external_id", "id", "key", "uuid"),
    "type": ("type", "category", "kind", "类别"),
    "tags": ("tags", "labels", "categories", "标签"),
}


@dataclass(frozen=True, slots=True)
class Sample:
    """A record and the fields of the memory that it becomes, or why it becomes none."""

    line: int
    raw: str
    content: str
    fields: Sequence[tuple[str, str]]
    fault: str
    field: str


@dataclass(frozen=True, slots=True)
class Change:
    """What a dry run would add or change; `before` and `after` by field."""

    line: int
    event: str
    is_held: bool
    content: str
    differences: Sequence[tuple[str, str, str]]


def samples(job: Job) -> list[Sample]:
    """Return the first records of a described file; raises InvalidInput."""

    def look() -> list[dict[str, Any]]:
        return [asdict(one) for one in uploads.first_lines(job, size=SAMPLE)]

    seen = remembered(job, "sample", job.params["said"], look)
    return [_sample(Shown(**one)) for one in seen]


def changes(job: Job, report: Report) -> list[Change]:
    """Return the first changes that a dry run found."""
    shown = report.changes[:MOST_CHANGES]
    lines = sorted({one.line for one in shown})
    about = [job.params["said"], lines]
    records = remembered(
        job, "changes", about, lambda: _records(uploads.records_of(job, set(lines)))
    )
    rows = Memory.unscoped.in_bulk([one.memory_id for one in shown])
    kinds = dict(Category.objects.values_list("pk", "name"))
    return [
        _change(one, records.get(str(one.line), {}), rows.get(one.memory_id), kinds)
        for one in shown
    ]


def suggested_mapping(columns: Sequence[str], rows: str) -> str:
    """Return a mapping to begin with, made of the names of a table's columns."""
    lower = {name.strip().lower(): name for name in columns}
    fields = {
        field: lower[name]
        for field, names in LIKELY.items()
        if (name := next((one for one in names if one in lower), None))
    }
    fields.setdefault("content", columns[0] if columns else "")
    mapping: dict[str, Any] = {"fields": fields, "defaults": {"type": "fact"}}
    if rows:
        mapping["rows"] = rows
    return as_text(mapping)


def as_text(mapping: Mapping[str, Any]) -> str:
    """Return a mapping as somebody would type it."""
    return json.dumps(mapping, ensure_ascii=False, indent=1)


def columns(job: Job, system: str) -> tuple[list[str], str]:
    """Return the names in the first record of a file, and where its rows are."""
    path, name = uploads.source_of(job.pk), job.params["name"]

    def look() -> tuple[list[str], str]:
        return foreign.columns(path, name, system, job.created_at)

    names, rows = remembered(job, "columns", system, look)
    return names, rows


def _records(found: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """Return records by line without what nobody is shown."""
    return {
        str(line): {name: value for name, value in one.items() if name not in UNSHOWN}
        for line, one in found.items()
    }


def _sample(shown: Shown) -> Sample:
    memory = dict(shown.memory or {})
    content = str(memory.pop("content", ""))
    fields = [
        (name, _text(value))
        for name, value in memory.items()
        if name not in UNSHOWN and USUAL.get(name) != value
    ]
    return Sample(shown.line, shown.raw, content, fields, shown.fault, shown.field)


def _change(
    outcome: Outcome,
    record: Mapping[str, Any],
    row: Memory | None,
    kinds: Mapping[int, str],
) -> Change:
    differences = [
        (CALLED.get(name, name), _before(row, name, kinds), _after(record, name))
        for name in outcome.fields
        if row
    ]
    content = str(record.get("content", ""))
    return Change(outcome.line, outcome.event, outcome.is_held, content, differences)


def _before(row: Memory | None, name: str, kinds: Mapping[int, str]) -> str:
    value = getattr(row, name, None)
    return kinds.get(value, "") if name == "category_id" else _text(value)  # type: ignore[arg-type]


def _after(record: Mapping[str, Any], name: str) -> str:
    return _text(record.get(CALLED.get(name, name)))


def _text(value: Any) -> str:
    if value is None or value in ("", [], {}, ()):
        return "–"
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
