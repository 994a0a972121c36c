"""Stored memories judged anew after the screening's rules changed.

Until a memory's turn comes, recalls judge it by the present rules at every serving;
the rescan makes that verdict last. What a person has approved is held again only if
the rules would refuse it.
"""

import time
from collections import Counter
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory_core import auditing, jobs
from memory_core.contracts.callers import SYSTEM, Actor, is_person
from memory_core.contracts.enums import SourceKind, Status
from memory_core.contracts.screening import Provenance, Verdict
from memory_core.models import Job, Memory
from memory_core.saving import transitions
from memory_core.saving.holding import SCREENING, SENSITIVE
from memory_core.screening import rules_version, screen

KIND = "rescan"
BATCH = 50
RECALLABLE = (Status.ACTIVE, Status.ARCHIVED)
LOOKED_AT = (*RECALLABLE, Status.PENDING)
"""History is judged where it is served; its old verdict says that it must be."""
RULES_CHANGED = "rules_changed"


def queue(*, by: Actor, now: datetime) -> Job:
    """Return the job that judges what has a verdict of other rules.

    One that waits or runs already is the same one. Runs in the caller's transaction.
    """
    known = Job.objects.filter(
        kind=KIND, state__in=jobs.OPEN, params__version=rules_version()
    )
    if job := known.first():
        return job
    job = Job.objects.create(
        kind=KIND,
        params={"version": rules_version()},
        created_by=by.name,
        created_at=now,
    )
    auditing.record("screening.rescan", by=by, job=str(job.pk), rules=rules_version())
    jobs.call_worker()
    return job


def is_due() -> bool:
    """Return whether the present rules have had no rescan yet."""
    return not Job.objects.filter(kind=KIND, params__version=rules_version()).exists()


def advance(job: Job, until: float) -> bool:
    """Judge memories until a moment of `time.monotonic()`; return whether all are.

    Each memory is one transaction with its place in the job, so that a worker that
    dies has neither lost nor doubled any.
    """
    while jobs.beat(job, now=timezone.now()):
        rows = _next(job)
        for memory in rows:
            _judge(memory, job)
        if len(rows) < BATCH:
            return True
        if time.monotonic() >= until:
            return False
    return False


def _next(job: Job) -> list[Memory]:
    rows = Memory.unscoped.filter(status__in=LOOKED_AT)
    rows = rows.exclude(rules_version=rules_version()).order_by("pk")
    if after := job.cursor.get("after"):
        rows = rows.filter(pk__gt=UUID(after))
    return list(rows.select_related("source", "owner", "namespace")[:BATCH])


def _judge(memory: Memory, job: Job) -> None:
    verdict = screen(fields_of(memory), provenance_of(memory))
    with transaction.atomic():
        current = Memory.unscoped.select_for_update().filter(pk=memory.pk).first()
        if current is not None and current.version == memory.version:
            _count(job, _keep(memory, current, verdict))
        job.done += 1
        job.cursor = {"after": str(memory.pk)}
        job.save(update_fields=["done", "cursor", "counts"])


def _keep(memory: Memory, current: Memory, verdict: Verdict) -> str:
    """Store the verdict and take the memory out of recall if it asks for that."""
    reasons = reasons_against(memory, current, verdict)
    current.verdict, current.rules_version = verdict.to_dict(), verdict.version
    changed = ["verdict", "rules_version"]
    if current.status == Status.PENDING:
        current.save(update_fields=changed)
        return "waiting"
    if not reasons:
        current.save(update_fields=changed)
        return "kept"
    current.decision = current.decision | {"reasons": reasons}
    current.reviewed_at, current.reviewed_by = None, ""
    changed += ["decision", "reviewed_at", "reviewed_by"]
    current.save(update_fields=changed)
    transitions.hold([current.pk], now=timezone.now())
    auditing.record_of(
        memory,
        "memory.rescan",
        by=SYSTEM,
        reasons=reasons,
        rules_version=verdict.version,
    )
    return "held"


def reasons_against(memory: Memory, current: Memory, verdict: Verdict) -> list[str]:
    """Return why a memory must not be recalled any more, empty if it may be."""
    is_approved = is_person(current.reviewed_by)
    if is_approved and verdict.outcome != "refuse":
        return []
    found = [f"{SCREENING}:{rule}" for rule in verdict.rules]
    is_machine = memory.source.kind != SourceKind.USER_INPUT
    is_sensitive = any(tag.startswith(SENSITIVE) for tag in verdict.tags)
    if is_machine and is_sensitive and current.reviewed_at is None:
        found.append(SENSITIVE)
    return [RULES_CHANGED, *found] if found else []


def fields_of(memory: Memory) -> dict[str, object]:
    """Return every text of a stored memory that a model might read."""
    return {
        "content": memory.content,
        "subject": memory.subject,
        "entities": memory.entities,
        "tags": memory.tags,
        "metadata": memory.metadata,
        "source_name": memory.source.name,
        "external_id": memory.external_id,
        "session_id": memory.session_id,
    }


def provenance_of(memory: Memory) -> Provenance:
    """Return where a memory comes from; a block is heeded when it is read."""
    source = memory.source
    return Provenance(source.kind, source.trust)  # type: ignore[arg-type]


def _count(job: Job, event: str) -> None:
    counts = Counter(job.counts)
    counts[event] += 1
    job.counts = dict(counts)
