"""The engine of a model change: fill, ask, switch, catch up, ask again.

The phase is in the job's cursor. A job that shall not switch by itself pauses when its
space is full; resumed with `switch` in its parameters it goes on.
"""

import time
from collections.abc import Callable
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory_core import jobs
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import JobState
from memory_core.embedding import EmbedderUnavailable
from memory_core.models import EmbeddingModel, Job, RecallSample
from memory_core.queueing import enqueue
from memory_core.reembedding import replaying, spaces
from memory_core.reembedding.filling import fill
from memory_core.reembedding.weighing import weigh

KIND = "reembedding"
FILL, ASK, SWITCH, SETTLE, REPLAY, OVER = (
    "fill",
    "ask",
    "switch",
    "settle",
    "replay",
    "over",
)
SETTLE_SECONDS = 10.0
"""How long after the switch a process may still store vectors of the old space."""
ASKED_AT_ONCE = 10
UNAVAILABLE = "embedder_unavailable"


def advance(job: Job, until: float) -> bool:
    """Work on a change until that moment of the clock; return whether it is done."""
    while jobs.beat(job, now=timezone.now()):
        phase = phase_of(job)
        if phase == OVER:
            return True
        if not STEPS[phase](job):
            return False
        if time.monotonic() >= until:
            return phase_of(job) == OVER
    return False


def phase_of(job: Job) -> str:
    """Return where a change stands."""
    phase: str = job.cursor.get("phase", FILL)
    return phase


def space_of(job: Job) -> EmbeddingModel:
    """Return the space that a change fills."""
    return EmbeddingModel.objects.get(pk=job.params["model_id"])


def _fill(job: Job) -> bool:
    """Fill the next ones; a round without any is the last."""
    space = space_of(job)
    after = job.cursor.get("after")
    try:
        placed, last = fill(space, UUID(after) if after else None)
        if last is None and after is None:
            weigh(space)
    except EmbedderUnavailable:
        return _wait(job)
    job.done += placed
    job.error = ""
    if last is not None:
        job.cursor = job.cursor | {"after": str(last)}
    elif after is not None:
        job.cursor = job.cursor | {"after": None}  # once more, for what came meanwhile
    else:
        job.cursor = {"phase": ASK, "before": {}}
        enqueue("tend_indexes")
    job.save(update_fields=["done", "error", "cursor"])
    return True


def _wait(job: Job) -> bool:
    """Leave it at that for this turn: the embedder may come back."""
    Job.objects.filter(pk=job.pk).update(error=UNAVAILABLE)
    time.sleep(jobs.TURN_SECONDS)
    return False


def _ask(job: Job) -> bool:
    """Ask the kept queries in the old space, some at a time, then go on or pause."""
    if _asked(job, "before"):
        job.cursor = job.cursor | {"phase": SWITCH}
        job.save(update_fields=["cursor"])
    return True


def _switch(job: Job) -> bool:
    if not job.params.get("switch", True):
        Job.objects.filter(pk=job.pk, state=JobState.RUNNING).update(
            state=JobState.PAUSED
        )
        return False
    with transaction.atomic():
        spaces.switch(job.params["model_id"], by=Actor(job.created_by))
        job.cursor = job.cursor | {"phase": SETTLE, "since": time.time()}
        job.save(update_fields=["cursor"])
    return True


def _settle(job: Job) -> bool:
    """Fill what was stored in the old space meanwhile, until nobody does any more."""
    space = space_of(job)
    try:
        placed, _ = fill(space, None)
    except EmbedderUnavailable:
        return _wait(job)
    if placed:
        Job.objects.filter(pk=job.pk).update(done=job.done + placed)
        job.done += placed
        return True
    left = job.cursor["since"] + SETTLE_SECONDS - time.time()
    if left > 0:
        time.sleep(min(left, jobs.TURN_SECONDS))
        return False
    spaces.note_arrivals(space.pk)
    job.cursor = job.cursor | {"phase": REPLAY, "now": {}}
    job.save(update_fields=["cursor"])
    return True


def _replay(job: Job) -> bool:
    """Ask again in the new space; then the report is complete."""
    if _asked(job, "now"):
        result = replaying.report(job.cursor["before"], job.cursor["now"])
        job.cursor = {"phase": OVER, "report": result}
        job.save(update_fields=["cursor"])
    return True


def _asked(job: Job, name: str) -> bool:
    """Ask some more of the samples; return whether all have been asked."""
    answers: replaying.Answers = job.cursor[name]
    waiting = [one for one in _samples(job, name) if str(one.pk) not in answers]
    if not waiting or len(answers) >= replaying.MOST:
        return True
    answers |= replaying.ask(waiting[:ASKED_AT_ONCE])
    job.save(update_fields=["cursor"])
    return False


def _samples(job: Job, name: str) -> list[RecallSample]:
    """The latest samples; after the switch those that were asked before it."""
    if name == "before":
        return replaying.samples()
    ids = [int(key) for key in job.cursor["before"]]
    rows = RecallSample.objects.select_related("owner").filter(pk__in=ids)
    return list(rows.order_by("pk"))


STEPS: dict[str, Callable[[Job], bool]] = {
    FILL: _fill,
    ASK: _ask,
    SWITCH: _switch,
    SETTLE: _settle,
    REPLAY: _replay,
}
