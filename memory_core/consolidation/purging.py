"""What has been kept long enough goes: rejected memories, samples, events, jobs."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from memory_core.consolidation.stages import Batch, Case, Note, Person, RunScope, locked
from memory_core.contracts.callers import SYSTEM, Scope
from memory_core.contracts.enums import JobState, Status
from memory_core.exceptions import LegalHoldInForce
from memory_core.models import Job, Memory, Owner, RecallEvent, RecallSample
from memory_core.querysets.memories import MemoryQuerySet
from memory_core.saving import forgetting

BATCH = 200
REJECTED_KEPT = timedelta(days=14)
SAMPLES_KEPT = timedelta(days=30)
EVENTS_KEPT = timedelta(days=90)
JOBS_KEPT = timedelta(days=90)
RETENTION = "retention"


@dataclass(frozen=True, slots=True)
class Purge:
    """Rejected memories of one owner whose time to be looked at again is over."""

    person: Person
    memory_ids: Sequence[UUID]

    def foresee(self) -> Sequence[Case]:
        """Return what would be deleted."""
        days = REJECTED_KEPT.days
        return [
            {"action": "purged", "memory_id": str(pk), "rejected_days": days}
            for pk in self.memory_ids
        ]

    def act(self, run_scope: RunScope, note: Note) -> None:
        """Delete them for good, except what a legal hold keeps."""
        scope = Scope(self.person.row, self.person.owner_id, (run_scope.space.id,))
        for case in self.foresee():
            with locked(self.person, run_scope):
                pk = UUID(case["memory_id"])
                if pk not in set(
                    _rejected(run_scope).filter(pk=pk).values_list(flat=True)
                ):
                    continue
                try:
                    forgetting.forget(
                        [pk],
                        scope=scope,
                        by=SYSTEM,
                        reason=RETENTION,
                        now=run_scope.now,
                    )
                except LegalHoldInForce:
                    continue
                note([case])


def look_for_rejected(run_scope: RunScope, after: UUID | None) -> Batch:
    """Return the memories that were rejected longer ago than they are kept."""
    rows = _rejected(run_scope)
    if after:
        rows = rows.filter(pk__gt=after)
    found = list(
        rows.order_by("pk").values_list("pk", "owner_id", "owner__external_id")[:BATCH]
    )
    owners: dict[Person, list[UUID]] = defaultdict(list)
    for pk, owner, owner_id in found:
        owners[Person(owner, owner_id)].append(pk)
    items = [Purge(person, ids) for person, ids in owners.items()]
    return Batch(items, len(found), found[-1][0] if len(found) == BATCH else None)


def purge_traces(*, now: datetime) -> dict[str, int]:
    """Delete what recalls and requests left behind long ago; return counts by kind.

    Of owners whose data is restricted nothing goes.
    """
    restricted = Owner.objects.filter(restricted_by__isnull=False)
    over = [JobState.DONE, JobState.FAILED, JobState.CANCELLED]
    return {
        "recall_samples": RecallSample.objects.filter(
            ~Q(owner__in=restricted), at__lt=now - SAMPLES_KEPT
        ).delete()[0],
        "recall_events": RecallEvent.objects.filter(
            ~Q(owner_id__in=restricted), at__lt=now - EVENTS_KEPT
        ).delete()[0],
        "jobs": Job.objects.filter(finished_at__lt=now - JOBS_KEPT, state__in=over)
        .exclude(kind="reembedding")  # tells which setting was followed last
        .delete()[0],
    }


def _rejected(run_scope: RunScope) -> MemoryQuerySet:
    rows = Memory.unscoped.filter(
        namespace=run_scope.space.id,
        status=Status.REJECTED,
        updated_at__lt=run_scope.now - REJECTED_KEPT,
    )
    return rows.filter(owner=run_scope.owner) if run_scope.owner is not None else rows
