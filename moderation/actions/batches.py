"""Bulk decisions as jobs: a selection is taken down, decided item by item, undone."""

import time
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from memory_core import auditing, isolation, jobs
from memory_core.actions import agreement
from memory_core.contracts.callers import Actor
from memory_core.exceptions import InvalidInput, MnemeError, TransitionRefused
from memory_core.models import Job, Memory
from moderation.actions import reviews
from moderation.models import BatchItem
from moderation.permissions import Permission, permissions_of
from moderation.waiting import Chosen, rows_of

KIND = "bulk_review"
DONE, HALF, THEIRS = "done", "half", "theirs"
MOST = 100_000
WRITTEN_AT_ONCE = 5000
TAKEN_AT_ONCE = 50


def start(
    *,
    chosen: Chosen,
    as_of: datetime,
    number: int,
    verb: str,
    reason: str,
    user: User,
    by: Actor,
    now: datetime,
) -> Job:
    """Return the job that decides on what is chosen and untouched since `as_of`.

    `verb` is `approve` or `reject`, `number` how many memories were seen. Raises
    TransitionRefused when it is another number by now, InvalidInput for none or more
    than MOST.
    """
    with isolation.transaction_for(by):
        rows = rows_of(chosen, user_id=user.pk, now=now, as_of=as_of).order_by("pk")
        found = list(rows.values_list("pk", "version")[: MOST + 1])
        if not 0 < len(found) <= MOST:
            raise InvalidInput(
                f"A batch has between 1 and {MOST:,} memories.", why="batch_size"
            )
        if len(found) != number:
            raise TransitionRefused(
                "The selection has changed.", why="selection_changed", number=len(found)
            )
        what: dict[str, Any] = {
            "verb": verb,
            "reason": reason,
            "chosen": chosen.query(),
        }
        job = _queue(what, found, user=user, by=by, now=now)
        auditing.record(
            "review.batch",
            by=by,
            job=str(job.pk),
            as_of=as_of.isoformat(),
            of=number,
            **what,
        )
    return job


def undo(*, job: Job, user: User, by: Actor, now: datetime) -> Job:
    """Return the job that takes back what a batch decided.

    Raises TransitionRefused while the batch runs, or when it is being undone already.
    """
    with isolation.transaction_for(by):
        row = Job.objects.select_for_update().get(pk=job.pk, kind=KIND)
        if row.state in jobs.OPEN or row.params["verb"] == "undo" or undoing_of(row):
            raise TransitionRefused(
                "It still runs, or is taken back already.", why="no_way_back"
            )
        items = BatchItem.objects.filter(job=row, outcome__in=(DONE, HALF))
        done = items.order_by("pk")
        found = list(done.values_list("memory_id", "version"))
        what = {
            "verb": "undo",
            "undoes": str(row.pk),
            "decided_by": row.created_by,
        }
        made = _queue(what, found, user=user, by=by, now=now)
        auditing.record(
            "review.batch_undo",
            by=by,
            job=str(made.pk),
            undoes=str(row.pk),
            of=len(found),
        )
    return made


def undoing_of(job: Job) -> Job | None:
    """Return the job that takes a batch back, if there is one."""
    return Job.objects.filter(kind=KIND, params__undoes=str(job.pk)).first()


def advance(job: Job, until: float) -> bool:
    """Work on items until a moment of `time.monotonic()`; return whether all are done.

    Each item is one transaction with its outcome and the job's counts. Raises
    PermissionError when the person may not decide any more.
    """
    user = User.objects.get(pk=job.params["user"])
    if Permission.DECIDE not in permissions_of(user):
        raise PermissionError
    while jobs.beat(job, now=timezone.now()):
        waiting = BatchItem.objects.filter(job=job, outcome="").order_by("pk")
        items = list(waiting[:TAKEN_AT_ONCE])
        for item in items:
            _work(job, item, user)
            if time.monotonic() >= until:
                return False
        if len(items) < TAKEN_AT_ONCE:
            return True
    return False


def _queue(
    what: Mapping[str, object],
    found: list[tuple[UUID, int]],
    *,
    user: User,
    by: Actor,
    now: datetime,
) -> Job:
    job = Job.objects.create(
        kind=KIND,
        params={**what, "user": user.pk, "request_id": by.request_id},
        total=len(found),
        created_by=by.name,
        created_at=now,
    )
    items = [BatchItem(job=job, memory_id=pk, version=number) for pk, number in found]
    BatchItem.objects.bulk_create(items, batch_size=WRITTEN_AT_ONCE)
    jobs.call_worker()
    return job


def _work(job: Job, item: BatchItem, user: User) -> None:
    with transaction.atomic():
        item.outcome, item.who = _outcome(job, item, user)
        item.save(update_fields=["outcome", "who"])
        job.done += 1
        job.counts = dict(Counter(job.counts) + Counter([item.outcome]))
        job.save(update_fields=["done", "counts"])


def _outcome(job: Job, item: BatchItem, user: User) -> tuple[str, str]:
    """Return what became of an item, and who was first if somebody was."""
    try:
        with transaction.atomic():
            memory = _decide(job, item, user)
            is_half = agreement.standing(memory) is not None
            is_undo = job.params["verb"] == "undo"
            refused = None if is_undo else reviews.shown_instead(memory)
    except MnemeError as error:
        first = error.extra.get("claimed_by") or error.extra.get("decided_by")
        return (THEIRS, str(first)) if first else (error.why or error.code, "")
    if refused:
        return refused.why, ""
    return HALF if is_half else DONE, ""


def _decide(job: Job, item: BatchItem, user: User) -> Memory:
    by = Actor(job.created_by, request_id=job.params["request_id"])
    verb, now = job.params["verb"], timezone.now()
    rows = Memory.unscoped.select_related("namespace")
    memory = rows.filter(pk=item.memory_id).first()
    if verb == "undo":
        who = _who_decided(memory) if memory else ""
        if who != job.params["decided_by"]:
            raise TransitionRefused(
                "It was decided anew since.",
                why="decided" if who else "not_waiting",
                decided_by=who,
            )
        return reviews.undo(memory_id=item.memory_id, user=user, by=by, now=now)
    act = reviews.DECISIONS[verb]
    return act(
        memory_id=item.memory_id,
        version=item.version,
        digest=bytes(memory.content_digest).hex() if memory else "",
        reason=job.params["reason"],
        user=user,
        by=by,
        now=now,
    )


def _who_decided(memory: Memory) -> str:
    first = agreement.standing(memory)
    return first.approved_by if first else memory.reviewed_by
