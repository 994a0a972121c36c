"""What a blocked writer wrote is held or taken away, as a job, and given back."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from memory_core import auditing, isolation, jobs
from memory_core.actions import blocks
from memory_core.actions.reach import Reach, reach_of
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import Status
from memory_core.exceptions import TransitionRefused
from memory_core.models import Job, Memory
from memory_core.saving import transitions
from memory_core.saving.undoing import plan, taking_back
from memory_core.saving.undoing import undo as carry_out
from moderation.models import BatchItem
from moderation.permissions import Permission, permissions_of

KIND = "withdrawal"
HOLD, TAKE_AWAY, GIVE_BACK = "hold", "take_away", "give_back"
ALONE = 1000
"""More than these are taken away by another person than the one who blocked."""

LISTED_AT_ONCE = 5000
TAKEN_AT_ONCE = 100
ALWAYS = datetime.min.replace(tzinfo=UTC)
LEFT = "left_alone"
"""The outcome of what had changed meanwhile; the others say what a memory was."""


def start(
    *, writer: blocks.Writer, verb: str, user: User, by: Actor, now: datetime
) -> Job:
    """Return the job that holds (HOLD) or rejects (TAKE_AWAY) what was written.

    What is taken away is deleted after its retention, and what it had replaced is
    current again. Raises TransitionRefused for a writer that is not blocked, and for
    the person who blocked it when it is more than ALONE.
    """
    block = blocks.standing(writer, now=now)
    if block is None:
        raise TransitionRefused("Its writes are not blocked.", why="not_blocked")
    reach = reach_of(writer)
    rows = reach.holdable() if verb == HOLD else reach.rejectable()
    total = rows.count()
    if verb == TAKE_AWAY and total > ALONE and block.by == by.name:
        raise TransitionRefused(
            "Another person than the one who blocked takes so many away.",
            why="too_many_alone",
        )
    params: dict[str, Any] = {"verb": verb, "reach": reach.query()}
    with isolation.transaction_for(by):
        job = _queue(params, total, user=user, by=by, now=now)
        auditing.record("writes.withdraw", by=by, job=str(job.pk), of=total, **params)
    return job


def undo(*, job: Job, user: User, by: Actor, now: datetime) -> Job:
    """Return the job that gives back what another has moved and nobody moved since.

    What was held is again what it was; what was taken away waits for review. Raises
    TransitionRefused while the job runs, or when it is given back already.
    """
    with isolation.transaction_for(by):
        row = Job.objects.select_for_update().get(pk=job.pk, kind=KIND)
        is_undo = row.params["verb"] == GIVE_BACK
        if row.state in jobs.OPEN or is_undo or undoing_of(row):
            raise TransitionRefused(
                "It still runs, or is given back already.", why="no_way_back"
            )
        total = _moved(row.pk).count()
        params = {**row.params, "verb": GIVE_BACK, "undoes": str(row.pk)}
        made = _queue(params, total, user=user, by=by, now=now)
        auditing.record(
            "writes.give_back", by=by, job=str(made.pk), undoes=str(row.pk), of=total
        )
    return made


def undoing_of(job: Job) -> Job | None:
    """Return the job that gives back what this one moved, if there is one."""
    return Job.objects.filter(kind=KIND, params__undoes=str(job.pk)).first()


def advance(job: Job, until: float) -> bool:
    """Work on pieces until a moment of `time.monotonic()`; return whether all is done.

    First the memories are listed, so that each has its outcome, then moved. Raises
    PermissionError when the person may not block any more.
    """
    user = User.objects.get(pk=job.params["user"])
    if Permission.BLOCK_SOURCES not in permissions_of(user):
        raise PermissionError
    while jobs.beat(job, now=timezone.now()):
        if not job.cursor.get("listed"):
            _list_piece(job)
        elif not _move_piece(job):
            _finish(job)
            return True
        if time.monotonic() >= until:
            return False
    return False


def _queue(
    params: dict[str, Any], total: int, *, user: User, by: Actor, now: datetime
) -> Job:
    job = Job.objects.create(
        kind=KIND,
        params={**params, "user": user.pk, "request_id": by.request_id},
        total=total,
        created_by=by.name,
        created_at=now,
    )
    jobs.call_worker()
    return job


def _list_piece(job: Job) -> None:
    after = job.cursor.get("last")
    with transaction.atomic():
        found = _listed(job, after)
        items = [
            BatchItem(job=job, memory_id=pk, version=version) for pk, version in found
        ]
        BatchItem.objects.bulk_create(items)
        if found:
            job.cursor = {"last": str(found[-1][0])}
        else:
            job.cursor = {"listed": True}
            job.total = BatchItem.objects.filter(job=job).count()
        job.save(update_fields=["cursor", "total"])


def _listed(job: Job, after: str | None) -> list[tuple[UUID, int]]:
    """Return the next memories with their versions, by id."""
    if job.params["verb"] == GIVE_BACK:
        moved = _moved(UUID(job.params["undoes"])).order_by("memory_id")
        if after:
            moved = moved.filter(memory_id__gt=after)
        return list(moved.values_list("memory_id", "version")[:LISTED_AT_ONCE])
    reach = Reach.of(job.params["reach"])
    rows = reach.holdable() if job.params["verb"] == HOLD else reach.rejectable()
    if after:
        rows = rows.filter(pk__gt=after)
    return list(rows.order_by("pk").values_list("pk", "version")[:LISTED_AT_ONCE])


def _move_piece(job: Job) -> bool:
    """Move the next memories in one transaction; return whether there were any."""
    move = {HOLD: _hold, TAKE_AWAY: _take_away, GIVE_BACK: _give_back}
    verb: Callable[[Job, Sequence[UUID]], dict[UUID, str]] = move[job.params["verb"]]
    with transaction.atomic():
        waiting = BatchItem.objects.filter(job=job, outcome="").order_by("pk")
        items = list(waiting[:TAKEN_AT_ONCE])
        outcomes = verb(job, [item.memory_id for item in items])
        for item in items:
            item.outcome = outcomes.get(item.memory_id, LEFT)
        BatchItem.objects.bulk_update(items, ["outcome"])
        job.done += len(items)
        counted = Counter("left" if i.outcome == LEFT else "done" for i in items)
        job.counts = dict(Counter(job.counts) + counted)
        job.save(update_fields=["done", "counts"])
    return bool(items)


def _finish(job: Job) -> None:
    """Take back what the writers changed of others' memories, after a purge."""
    if job.params["verb"] != TAKE_AWAY:
        return
    by, now = _actor(job), timezone.now()
    for writer in Reach.of(job.params["reach"]).writers():
        with transaction.atomic():
            carry_out(plan(writer, since=ALWAYS), by=by, now=now)


def _hold(job: Job, ids: Sequence[UUID]) -> dict[UUID, str]:
    reach = Reach.of(job.params["reach"])
    found = _states(reach.holdable().filter(pk__in=ids).values_list("pk", "status"))
    transitions.hold(list(found), now=timezone.now())
    return found


def _take_away(job: Job, ids: Sequence[UUID]) -> dict[UUID, str]:
    reach = Reach.of(job.params["reach"])
    found = _states(reach.rejectable().filter(pk__in=ids).values_list("pk", "status"))
    undoing = taking_back(list(found), wrote=reach.wrote())
    carry_out(undoing, by=_actor(job), now=timezone.now())
    return found


def _give_back(job: Job, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Give back what still is as the job left it and nobody has decided since."""
    undone = Job.objects.get(pk=job.params["undoes"])
    was_held = undone.params["verb"] == HOLD
    left_as = Status.PENDING if was_held else Status.REJECTED
    rows = Memory.unscoped.filter(pk__in=ids, status=left_as)
    rows = rows.exclude(reviewed_at__gt=undone.created_at)
    before = dict(
        _moved(undone.pk).filter(memory_id__in=ids).values_list("memory_id", "outcome")
    )
    outcomes = {}
    for pk in rows.order_by("pk").values_list("pk", flat=True):
        target = before[pk] if was_held else Status.PENDING.word
        if _moved_to(pk, target, now=timezone.now()):
            outcomes[pk] = target
    return outcomes


def _moved_to(memory_id: UUID, word: str, *, now: datetime) -> bool:
    """Return whether a memory could be moved: another may have its name by now."""
    move = {
        Status.ACTIVE.word: transitions.activate,
        Status.ARCHIVED.word: transitions.archive,
        Status.PENDING.word: transitions.hold,
    }
    try:
        with transaction.atomic():
            return bool(move[word]([memory_id], now=now))
    except IntegrityError:
        return False


def _moved(job_id: UUID) -> QuerySet[BatchItem]:
    return BatchItem.objects.filter(job=job_id).exclude(outcome__in=("", LEFT))


def _states(rows: Iterable[tuple[UUID, int]]) -> dict[UUID, str]:
    return {pk: Status(status).word for pk, status in rows}


def _actor(job: Job) -> Actor:
    return Actor(job.created_by, request_id=job.params["request_id"])
