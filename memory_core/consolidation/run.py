"""The engine of a consolidation: stage by stage, namespace by namespace, in turns."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memory_core import jobs
from memory_core.consolidation.fading import look_for_expired, look_for_faded
from memory_core.consolidation.merging import look_for_kin
from memory_core.consolidation.purging import look_for_rejected
from memory_core.consolidation.stages import Batch, Case, RunScope, Skipped
from memory_core.models import Job
from memory_core.saving import lookups

KIND = "consolidation"
MOST_CASES = 1_000
"""Cases kept on a job; the counts go on."""

STAGES: dict[str, Callable[[RunScope, UUID | None], Batch]] = {
    "expire": look_for_expired,
    "archive": look_for_faded,
    "merge": look_for_kin,
    "purge": look_for_rejected,
}
ORDER = tuple(STAGES)


def advance(job: Job, until: float) -> bool:
    """Work on a run until a moment of `time.monotonic()`; return whether it is done.

    Each change is one transaction with its case and count, so that a worker that dies
    has neither lost nor doubled any; what it was looking at is looked at again.
    """
    while jobs.beat(job, now=timezone.now()):
        place = _place(job)
        if place is None:
            return True
        _step(job, *place)
        if time.monotonic() >= until:
            return _place(job) is None
    return False


def _place(job: Job) -> tuple[int, str, UUID | None] | None:
    """Return namespace, stage and last memory seen, None at the end."""
    spaces: list[int] = job.params["namespaces"]
    number = job.cursor.get("namespace", 0)
    if number >= len(spaces):
        return None
    after = job.cursor.get("after")
    stage = job.cursor.get("stage", ORDER[0])
    return spaces[number], stage, UUID(after) if after else None


def _step(job: Job, space: int, stage: str, after: UUID | None) -> None:
    is_dry = bool(job.params.get("dry_run"))
    run_scope = _scope_of(job, space)
    look = STAGES[stage](run_scope, after)
    for item in look.items:
        if is_dry:
            cases = item.foresee()
            run_scope.gone.update(UUID(case["memory_id"]) for case in cases)
            _count(job, cases)
            continue
        try:
            item.act(run_scope, lambda cases: _note(job, cases))
        except Skipped:
            job.refresh_from_db(fields=["counts", "cases"])
    job.done += look.seen
    job.cursor = _next(job, stage, look.after)
    if is_dry:
        job.cursor["gone"] = [str(pk) for pk in run_scope.gone]
    job.save(update_fields=["done", "cursor", "counts", "cases"])


def _scope_of(job: Job, space: int) -> RunScope:
    since = job.params.get("since")
    return RunScope(
        run=job.pk,
        space=lookups.namespace(space),
        owner=job.owner_id,
        since=datetime.fromisoformat(since) if since else None,
        now=timezone.now(),
        gone={UUID(pk) for pk in job.cursor.get("gone", ())},
    )


def _next(job: Job, stage: str, after: UUID | None) -> dict[str, object]:
    number = job.cursor.get("namespace", 0)
    if after:
        return {"namespace": number, "stage": stage, "after": str(after)}
    following = ORDER.index(stage) + 1
    if following < len(ORDER):
        return {"namespace": number, "stage": ORDER[following]}
    return {"namespace": number + 1}


def _note(job: Job, cases: Sequence[Case]) -> None:
    """Put cases on the job, within the transaction of what they tell of."""
    changed = ["counts", "cases"] if len(job.cases) < MOST_CASES else ["counts"]
    _count(job, cases)
    job.save(update_fields=changed)


def _count(job: Job, cases: Sequence[Case]) -> None:
    counts = Counter(job.counts)
    counts.update(case["action"] for case in cases)
    job.counts = dict(counts)
    room = MOST_CASES - len(job.cases)
    job.cases = [*job.cases, *cases[: max(0, room)]]
