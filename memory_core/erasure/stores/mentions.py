"""What other owners' data says of the person."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.utils import timezone

from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.erasure import (
    Holds,
    Stage,
    Step,
    StoreCount,
    Subject,
    Treatment,
)
from memory_core.erasure import mentions
from memory_core.erasure.patterns import pattern_of_all
from memory_core.models import (
    Feedback,
    IdempotencyRecord,
    RawTurns,
    RecallSample,
)


class Mentions:
    """Memories of others: redacted or kept as people decided, one by one.

    One that nobody decided on is left as it is, and counts as residue.
    """

    store = "mentions"
    stage = Stage.MENTIONS
    covers = ("memory_core.memory.content", "memory_core.memoryversion.content")

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are, and how many are decided either way."""
        ids = mentions.ids_of(subject)
        held = mentions.held(ids, holds)
        decided = [subject.treatment(one) for one in ids if one not in held]
        keep = decided.count(Treatment.KEEP) + len(held)
        return StoreCount(
            self.store,
            len(ids),
            erase=0,
            redact=decided.count(Treatment.REDACT),
            keep=keep,
            ground=("legal_hold" if held else "decided") if keep else "",
        )

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Redact those that were decided so; a second time finds nothing to do."""
        decided = subject.mentions or {}
        wanted = {k for k, v in decided.items() if v == Treatment.REDACT}
        held = mentions.held(wanted, holds)
        redacted = [
            mentions.redact_memory(one, subject.names, by=SYSTEM, now=timezone.now())
            for one in sorted(wanted - held)
        ]
        return Step(redacted=sum(redacted), held=len(held))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are there that were not to be kept."""
        ids = mentions.ids_of(subject)
        held = mentions.held(ids, holds)
        return sum(
            subject.treatment(one) != Treatment.KEEP for one in ids if one not in held
        )

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing: they are other people's."""
        yield from ()


@dataclass(frozen=True)
class Elsewhere:
    """Texts of other owners that are no memories: short-lived, so nobody decides.

    Rows that are of no use without the text go; in the others a mark takes the
    place of the names.
    """

    store: str
    model: type[models.Model]
    fields: tuple[str, ...]
    is_dropped: bool
    stage: Stage = Stage.MENTIONS

    @property
    def covers(self) -> tuple[str, ...]:
        """The fields that are looked at."""
        label = self.model._meta.label_lower
        return tuple(f"{label}.{name}" for name in self.fields)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return in how many rows the person is named."""
        found = len(self._pks(subject))
        if self.is_dropped:
            return StoreCount(self.store, found, found)
        return StoreCount(self.store, found, 0, redact=found)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Drop or redact them all: there are few."""
        rows = self.model._base_manager.filter(pk__in=self._pks(subject))
        if self.is_dropped:
            gone, _ = rows.delete()
            return Step(erased=gone)
        found = list(rows.select_for_update())
        for row in found:
            for name in self.fields:
                value = mentions.without(getattr(row, name), subject.names)
                setattr(row, name, value)
            row.save(update_fields=self.fields)
        return Step(redacted=len(found))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return in how many rows the person is still named."""
        return len(self._pks(subject))

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing: they are other people's."""
        yield from ()

    def _pks(self, subject: Subject) -> list[Any]:
        pattern = pattern_of_all(subject.names)
        if not pattern:
            return []
        columns = ", ".join(f'"{name}"::text' for name in self.fields)
        statement = (
            f"SELECT id FROM {self.model._meta.db_table}"
            f" WHERE coalesce(owner_id, 0) <> ALL(%s::bigint[])"
            f" AND concat_ws(' ', {columns}) ~* %s ORDER BY id"
        )
        with connection.cursor() as cursor:
            cursor.execute(statement, [list(subject.rows), pattern])
            return [row[0] for row in cursor.fetchall()]


class OtherTurns(Elsewhere):
    """Kept conversations of others: sealed, so each is opened and read."""

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Put a mark in the place of the names, and seal what is left."""
        found = RawTurns.objects.filter(pk__in=self._pks(subject))
        turns = list(found.select_related("owner").select_for_update(of=("self",)))
        for one in turns:
            messages = mentions.without(one.messages, subject.names)
            one.keep(messages, mentions.without(one.summary, subject.names))
            one.save(update_fields=["sealed"])
        return Step(redacted=len(turns))

    def _pks(self, subject: Subject) -> list[Any]:
        pattern = pattern_of_all(subject.names)
        if not pattern:
            return []
        turns = RawTurns.objects.exclude(owner__in=subject.rows).order_by("pk")
        return [
            one.pk
            for one in turns.select_related("owner").iterator()
            if re.search(pattern, _words(one), re.IGNORECASE)
        ]


def _words(turns: RawTurns) -> str:
    said = [str(one.get("content", "")) for one in turns.messages]
    return " ".join([*said, turns.summary])


STORES = (
    Mentions(),
    Elsewhere("other_samples", RecallSample, ("query", "filters"), is_dropped=True),
    Elsewhere("other_feedback", Feedback, ("note",), is_dropped=False),
    Elsewhere("other_answers", IdempotencyRecord, ("key", "answer"), is_dropped=True),
    OtherTurns("other_turns", RawTurns, ("sealed",), is_dropped=False),
)
