"""Tables whose rows name their owner: found, counted and deleted in one way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db import connection, models

from memory_core.contracts.erasure import Holds, Stage, Step, StoreCount, Subject
from memory_core.erasure.holds import Columns, condition

ROWS_AT_ONCE = 5_000
HELD = "legal_hold"


OWNED = Columns()


@dataclass(frozen=True)
class Table:
    """The rows of one table that belong to a person's owner rows.

    `columns` say how they are found and held, `shown` is what an access report has.
    """

    store: str
    stage: Stage
    model: type[models.Model]
    columns: Columns = OWNED
    shown: tuple[str, ...] = ()

    @property
    def covers(self) -> tuple[str, ...]:
        """All fields of the table."""
        return (f"{self.model._meta.label_lower}.*",)

    @property
    def name(self) -> str:
        """The table's name in the database."""
        return self.model._meta.db_table

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many rows there are, and how many of them are held."""
        held, values = condition(self.columns, holds)
        statement = (
            f"SELECT count(*), count(*) FILTER (WHERE {held})"
            f" FROM {self.name} WHERE {self._whose}"
        )
        with connection.cursor() as cursor:
            cursor.execute(statement, [*values, list(subject.rows)])
            matched, kept = cursor.fetchone()
        return counted(self.store, matched, kept)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Delete some thousand rows."""
        held, values = condition(self.columns, holds)
        statement = (
            f"DELETE FROM {self.name} WHERE ctid = ANY(ARRAY("
            f"SELECT ctid FROM {self.name} WHERE {self._whose} AND NOT {held}"
            f" LIMIT {ROWS_AT_ONCE}))"
        )
        with connection.cursor() as cursor:
            cursor.execute(statement, [list(subject.rows), *values])
            gone = cursor.rowcount
        if gone == ROWS_AT_ONCE:
            return Step(erased=gone, is_done=False)
        left = self.count(subject, holds)
        return Step(erased=gone, held=left.keep, is_done=not left.erase)

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many rows are left that are not held."""
        return self.count(subject, holds).erase

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield what is shown of each row, the oldest first."""
        if not self.shown:
            return
        rows = self.model._base_manager.filter(
            **{f"{self.columns.owner}__in": subject.rows}
        )
        for row in rows.order_by("pk").iterator():
            yield {name: getattr(row, name) for name in self.shown}

    @property
    def _whose(self) -> str:
        return f"{self.columns.owner} = ANY(%s::bigint[])"


def counted(store: str, matched: int, kept: int) -> StoreCount:
    """Return the count of a store where the rest goes."""
    ground = HELD if kept else ""
    return StoreCount(store, matched, matched - kept, keep=kept, ground=ground)
