"""What one token or one source wrote since a moment, taken back in one step.

What it added is rejected (hidden at once, purged after its retention), what that had
replaced or swallowed is current again, and what it changed says again what it said
before. A memory that others changed later is left alone and named.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F, Q, QuerySet

from memory_core import auditing, locks
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import Status
from memory_core.contracts.screening import Provenance
from memory_core.contracts.undoing import Undoing
from memory_core.models import AuditEntry, Memory, MemoryVersion
from memory_core.queueing import enqueue
from memory_core.saving import changing, revising, transitions, versions
from memory_core.screening import screen

IMPORTED = "memory.import"


@dataclass(frozen=True, slots=True)
class Writer:
    """Whose writes: of one token (by its prefix) or of one source (by its row id)."""

    token_prefix: str = ""
    source: int = 0

    def wrote(self) -> Q:
        """Return the condition on memories that this writer added."""
        if self.token_prefix:
            return Q(token_prefix=self.token_prefix)
        return Q(source=self.source)

    def wrote_since(self, moment: datetime) -> Q:
        """Return the same for what arrived here since a moment.

        `created_at` of an imported memory is what its file says, so the record is
        asked for imports.
        """
        imports = AuditEntry.objects.filter(action=IMPORTED, at__gte=moment)
        if self.token_prefix:
            imports = imports.filter(actor_token=self.token_prefix)
        added = imports.values_list("details__added", flat=True)
        imported = [UUID(one) for part in added for one in part or ()]
        return self.wrote() & (Q(created_at__gte=moment) | Q(pk__in=imported))

    def replaced(self) -> Q:
        """Return the condition on versions that this writer's changes left behind."""
        if self.token_prefix:
            return Q(token_prefix=self.token_prefix)
        foreign = ~Q(values__source_id=self.source)
        return Q(memory__source=self.source) & foreign


def plan(writer: Writer, *, since: datetime) -> Undoing:
    """Return what an undo would do; changes nothing."""
    added = _ids(
        Memory.unscoped.filter(writer.wrote_since(since)).exclude(
            status=Status.REJECTED
        )
    )
    retired = Memory.unscoped.filter(status=Status.SUPERSEDED).exclude(pk__in=added)
    brought_back = _ids(
        retired.filter(Q(superseded_by__in=added) | Q(merged_into__in=added))
    )
    rolled_back: dict[UUID, int] = {}
    left_alone: set[UUID] = set()
    replaced = list(_replaced(writer, since, added))
    for version in replaced:
        if version.memory_id in rolled_back:
            continue
        rolled_back[version.memory_id] = version.pk
        if _others_followed(version, writer):
            left_alone.add(version.memory_id)
    rolled_back = {k: v for k, v in rolled_back.items() if k not in left_alone}
    theirs = [one.pk for one in replaced if one.memory_id in rolled_back]
    by_changes = _ids(_retired_by_changes(theirs, since).exclude(pk__in=added))
    return Undoing(
        rejected=added,
        brought_back=tuple(sorted({*brought_back, *by_changes})),
        rolled_back=rolled_back,
        left_alone=tuple(sorted(left_alone)),
    )


def taking_back(memory_ids: Sequence[UUID], *, wrote: Q) -> Undoing:
    """Return what rejecting these memories of a writer brings back.

    That is what others had said and these replaced or swallowed; what the writer's
    changes did to it is another step, by `plan`.
    """
    retired = Memory.unscoped.filter(status=Status.SUPERSEDED).exclude(wrote)
    back = retired.filter(
        Q(superseded_by__in=memory_ids) | Q(merged_into__in=memory_ids)
    )
    return Undoing(
        rejected=tuple(memory_ids),
        brought_back=_ids(back),
        rolled_back={},
        left_alone=(),
    )


def undo(undoing: Undoing, *, by: Actor, now: datetime) -> None:
    """Carry out a plan in the caller's transaction, owner by owner."""
    touched = [*undoing.rejected, *undoing.brought_back, *undoing.rolled_back]
    _lock_owners(touched)
    changed = [pk for pk in undoing.brought_back if pk in undoing.rolled_back]
    others = [pk for pk in undoing.brought_back if pk not in undoing.rolled_back]
    transitions.reject(undoing.rejected, now=now)
    transitions.activate(changed, now=now)
    for version_id in undoing.rolled_back.values():
        _roll_back(version_id, by=by, now=now)
    transitions.activate(others, now=now)  # their names are free by now


def _replaced(
    writer: Writer, since: datetime, added: Iterable[UUID]
) -> Iterable[MemoryVersion]:
    rows = MemoryVersion.objects.filter(writer.replaced(), created_at__gte=since)
    rows = rows.exclude(event=versions.REPETITION).exclude(memory__in=added)
    return rows.order_by("memory_id", "id")


def _retired_by_changes(version_ids: list[int], since: datetime) -> QuerySet[Memory]:
    """Return what the changes that kept these versions retired: others, or the changed.

    It moved at the moment at which the change kept its version.
    """
    return Memory.unscoped.filter(
        Q(
            superseded_by__versions__in=version_ids,
            updated_at=F("superseded_by__versions__created_at"),
        )
        | Q(
            merged_into__versions__in=version_ids,
            updated_at=F("merged_into__versions__created_at"),
        )
        | Q(versions__in=version_ids, updated_at=F("versions__created_at")),
        status=Status.SUPERSEDED,
        updated_at__gte=since,
    ).distinct()


def _others_followed(version: MemoryVersion, writer: Writer) -> bool:
    later = MemoryVersion.objects.filter(memory=version.memory_id, id__gt=version.pk)
    changes = later.exclude(event=versions.REPETITION)
    if writer.token_prefix:
        return changes.exclude(token_prefix=writer.token_prefix).exists()
    return changes.exclude(values__source_id=writer.source).exists()


def _lock_owners(memory_ids: list[UUID]) -> None:
    places = Memory.unscoped.filter(pk__in=memory_ids).order_by(
        "namespace_id", "owner_id"
    )
    for namespace, owner in places.values_list("namespace_id", "owner_id").distinct():
        locks.lock_owner(owner=owner, namespace=namespace)


def _roll_back(version_id: int, *, by: Actor, now: datetime) -> None:
    """Say again what was said; the vector, if the words differ, comes by the queue."""
    version = MemoryVersion.objects.select_related("memory__source").get(pk=version_id)
    memory = version.memory
    values = changing.columns(versions.changes_of(version))
    differing = revising.differing(memory, values)
    source = memory.source
    provenance = Provenance(source.kind, source.trust)  # type: ignore[arg-type]
    verdict = screen({"content": version.content}, provenance)
    revising.revise(
        memory,
        differing,
        source=version.values["source_id"],
        rank=version.values["lineage_trust"],
        verdict=verdict,
        placed=None,
        event="undone",
        by=by,
        now=now,
    )
    if verdict.outcome != "allow" and memory.status == Status.ACTIVE:
        transitions.hold([memory.pk], now=now)
    if memory.embedding == "queued":
        enqueue("embed_memory", str(memory.pk))
    auditing.record("memory.undo", by=by, memory_id=memory.pk, version=version.version)


def _ids(rows: Iterable[Memory]) -> tuple[UUID, ...]:
    return tuple(sorted(row.pk for row in rows))
