"""The audit log as rows; a person is found by digest, never by name."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO

from django.db.models import QuerySet

from memory_core import digests
from memory_core.auditing.canonical import fields
from memory_core.models import AuditEntry

PAGE = 100
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


@dataclass(frozen=True, slots=True)
class Listed:
    """One page of entries, the newest first; `before` leads to older ones."""

    rows: list[AuditEntry]
    before: int | None


def narrowed(filters: dict[str, str]) -> QuerySet[AuditEntry]:
    """Return the entries that fit: action, actor, outcome, request, memory, person."""
    lookups = {
        "action": "action__startswith",
        "actor": "actor",
        "outcome": "outcome",
        "request_id": "request_id",
        "memory_id": "memory_id",
    }
    wanted = {
        lookup: filters[name] for name, lookup in lookups.items() if filters.get(name)
    }
    rows = AuditEntry.objects.filter(**wanted)
    if owner := filters.get("owner"):
        rows = rows.filter(owner_digest=digests.of_owner(owner))
    return rows


def listed(filters: dict[str, str], *, before: int = 0) -> Listed:
    """Return a page of entries."""
    rows = narrowed(filters).order_by("-pk")
    if before:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: PAGE + 1])
    shown = found[:PAGE]
    return Listed(shown, shown[-1].pk if len(found) > PAGE else None)


def as_csv(pages: Iterable[list[AuditEntry]]) -> Iterator[str]:
    """Yield lines of CSV, a page at a time; no cell can be taken for a formula."""
    for number, page in enumerate(pages):
        rows = [fields(entry) for entry in page]
        lines = [_line(list(rows[0]))] if number == 0 else []
        lines += [_line([_plain(str(cell)) for cell in row.values()]) for row in rows]
        yield "".join(lines)


def _plain(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def _line(cells: list[str]) -> str:
    buffer = StringIO()
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue()
