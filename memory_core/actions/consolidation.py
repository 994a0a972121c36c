"""Ask for a consolidation and look at what it did."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from memory_core import auditing, idempotency, isolation, jobs
from memory_core.actions.access import write_scope
from memory_core.consolidation.run import KIND
from memory_core.contracts.callers import Actor, Caller
from memory_core.contracts.consolidation import RunView
from memory_core.contracts.enums import JobState
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.exceptions import NotFound, OwnerNotAllowed
from memory_core.models import Job, Namespace, Owner


def start(
    *,
    by: Caller,
    namespace: str = "",
    owner_id: str = "",
    dry_run: bool = False,
    once: IdempotencyKey | None = None,
) -> UUID:
    """Return the id of a queued run over what the caller may write.

    A run for the same that this agent asked for and that has not begun is the same
    run. Raises NamespaceNotWritable, OwnerNotAllowed when a token that is bound to
    owners does not name one of them, IdempotencyConflict.
    """
    if by.owner_claim and not owner_id:
        raise OwnerNotAllowed()
    owner = None
    if namespace or owner_id:
        owner = write_scope(by, owner_id, namespace=namespace).owner
    spaces = [by.writable[namespace]] if namespace else sorted(by.writable.values())
    params = {"namespaces": spaces, "dry_run": dry_run, "agent": by.agent_id}
    now = timezone.now()
    with isolation.agent_transaction():
        try:
            idempotency.claim(once, now=now)
        except Replay as replay:
            return UUID(replay.answer["run_id"])
        run = _queued(
            params,
            by=by,
            space=spaces[0] if namespace else by.writable.get(by.home, spaces[0]),
            owner=owner if owner_id else None,
            now=now,
        )
        auditing.record(
            "consolidation.start",
            by=by,
            namespace=namespace,
            owner_id=owner_id,
            run=str(run),
            dry_run=dry_run,
        )
        answer = {"run_id": str(run)}
        idempotency.keep(once, answer=answer, owner=owner or None, now=now)
        jobs.call_worker()
    return run


def start_everywhere(*, by: Actor, namespace: str = "", dry_run: bool = False) -> UUID:
    """Return the id of a run that a person asks for, over one namespace or all.

    Raises NotFound for a namespace that does not exist.
    """
    spaces = Namespace.objects.ids(namespace)
    if not spaces:
        raise NotFound()
    now = timezone.now()
    params = {"namespaces": spaces, "dry_run": dry_run}
    with isolation.transaction_for(by):
        run = _queued(params, by=by, space=spaces[0], owner=None, now=now)
        auditing.record(
            "consolidation.start",
            by=by,
            namespace=namespace,
            run=str(run),
            dry_run=dry_run,
        )
        jobs.call_worker()
    return run


def find(*, by: Caller, run_id: UUID) -> RunView:
    """Return a run that this agent started; NotFound for any other.

    A token that is bound to owners sees runs over one of them only.
    """
    with isolation.agent_transaction():
        job = Job.objects.filter(pk=run_id, kind=KIND, created_by=by.name).first()
        if job is None or not _may_look(job, by):
            raise NotFound
    return RunView(
        run_id=job.pk,
        state=job.state,
        dry_run=job.params["dry_run"],
        seen=job.done,
        counts=job.counts,
        cases=job.cases,
        created_at=job.created_at,
        finished_at=job.finished_at,
    )


def _may_look(job: Job, by: Caller) -> bool:
    if not by.owner_claim or job.owner_id == 0:  # nobody was there by that name
        return True
    owner = Owner.objects.filter(pk=job.owner_id or 0).first()
    return owner is not None and by.may_see(owner.external_id)


def _queued(
    params: dict[str, Any],
    *,
    by: Actor,
    space: int,
    owner: int | None,
    now: datetime,
) -> UUID:
    """Return a run with these parameters that waits for its first turn."""
    same = Job.objects.filter(
        kind=KIND,
        state=JobState.QUEUED,
        started_at=None,
        created_by=by.name,
        owner_id=owner,
        params=params,
    ).values_list("pk", flat=True)
    waiting: UUID | None = same.first()
    if waiting:
        return waiting
    job = Job.objects.create(
        kind=KIND,
        namespace_id=space,
        owner_id=owner,
        params=params,
        created_by=by.name,
        created_at=now,
    )
    return job.pk
