"""The audit log taken out by a person: recorded, then read a page at a time."""

from collections.abc import Iterator

from django.db.models import QuerySet

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.models import AuditEntry

PAGE = 1000


def export(*, rows: QuerySet[AuditEntry], by: Actor) -> Iterator[list[AuditEntry]]:
    """Return those of the entries that are there now, in pages, the oldest first.

    A page is read when it is asked for, in a transaction of its own: whoever reads
    slowly holds none open, and the request's is over by then.
    """
    with isolation.transaction_for(by):
        entry = auditing.record("audit.export", by=by)
    return _pages(rows.filter(pk__lte=entry.pk).order_by("pk"))


def _pages(rows: QuerySet[AuditEntry]) -> Iterator[list[AuditEntry]]:
    after = 0
    while page := _page(rows.filter(pk__gt=after)):
        yield page
        after = page[-1].pk


def _page(rows: QuerySet[AuditEntry]) -> list[AuditEntry]:
    with isolation.console_transaction():
        return list(rows[:PAGE])
