"""The embedding model: change it, stop and go on, go back, drop an old one."""

import logging

from django.conf import settings
from django.db.models import Count
from django.utils import timezone

from memory_core import auditing, isolation, jobs
from memory_core.contracts.callers import SYSTEM, Actor
from memory_core.contracts.enums import JobState, VectorSpaceState
from memory_core.contracts.spaces import ChangeView, ModelsView, SpaceView
from memory_core.embedding import EmbedderUnavailable
from memory_core.exceptions import NotFound, TransitionRefused
from memory_core.models import EmbeddingModel, Job, Memory, MemoryVector
from memory_core.queueing import enqueue
from memory_core.reembedding import language, spaces
from memory_core.reembedding.run import KIND, SWITCH, phase_of

logger = logging.getLogger(__name__)


def change(*, by: Actor, model: str, switch: bool = True) -> ChangeView:
    """Return the change to another model that now begins in the background.

    Without `switch` it waits, once the new space is full, until `switch_over`. Raises
    TransitionRefused while another change is open, EmbedderUnavailable,
    InvalidInput for the model that answers already.
    """
    if _open_job():
        raise TransitionRefused(
            "Another change of the model is under way.", why="change_under_way"
        )
    with isolation.transaction_for(by):
        space = spaces.make(model)
        job = Job.objects.create(
            kind=KIND,
            params={
                "model": space.name,
                "model_id": space.pk,
                "switch": switch,
                "setting": settings.EMBEDDER,
            },
            total=spaces.lacking(space.pk),
            created_by=by.name,
            created_at=timezone.now(),
        )
        auditing.record("embedding.change", by=by, model=space.name, job=str(job.pk))
        jobs.call_worker()
    return _change_view(job)


def go_back(*, by: Actor, switch: bool = True) -> ChangeView:
    """Return the change to the model that was kept last.

    What was saved since the switch is embedded in its space first. Raises NotFound
    when no model was kept.
    """
    job = Job.objects.filter(kind=KIND, state=JobState.DONE).order_by("-id").first()
    kept = EmbeddingModel.objects.filter(state=VectorSpaceState.KEPT)
    others = kept.exclude(pk=job.params["model_id"]) if job else kept
    space = others.order_by("-id").first() or kept.first()
    if space is None:
        raise NotFound("No earlier model was kept.", why="no_earlier_model")
    return change(by=by, model=space.name, switch=switch)


def pause(*, by: Actor) -> ChangeView:
    """Return the change that is open, stopped where it is."""
    return _move(
        by, JobState.PAUSED, "embedding.pause", JobState.QUEUED, JobState.RUNNING
    )


def resume(*, by: Actor) -> ChangeView:
    """Return the change that was paused, going on."""
    return _move(by, JobState.QUEUED, "embedding.resume", JobState.PAUSED)


def cancel(*, by: Actor) -> ChangeView:
    """Return the change, given up; what was embedded stays until it is dropped."""
    return _move(by, JobState.CANCELLED, "embedding.cancel", *jobs.OPEN)


def switch_over(*, by: Actor) -> ChangeView:
    """Return the change that waited with a full space, switching now.

    Raises TransitionRefused before the space is full.
    """
    with isolation.transaction_for(by):
        job = _open_job()
        if job is None or phase_of(job) != SWITCH:
            raise TransitionRefused(
                "No space is full and waits for its switch.", why="not_full"
            )
        job.params = job.params | {"switch": True}
        job.cursor = {}  # filled once more: much may have been said while it waited
        job.save(update_fields=["params", "cursor"])
    return _move(by, JobState.QUEUED, "embedding.resume", JobState.PAUSED)


def drop(*, by: Actor, model: str) -> int:
    """Return how many vectors of a kept or unfinished model were deleted.

    Raises NotFound, InvalidInput for the one that answers, TransitionRefused for one
    that is being filled.
    """
    space = EmbeddingModel.objects.filter(name=model).first()
    if space is None:
        raise NotFound("There is no such model.")
    job = _open_job()
    if job and job.params["model_id"] == space.pk:
        raise TransitionRefused("This model is being filled.", why="model_filling")
    count = spaces.drop(space, by=by)
    with isolation.transaction_for(by):
        auditing.record("embedding.drop", by=by, model=model, vectors=count)
    return count


def status() -> ModelsView:
    """Return all models and the latest change."""
    counts = dict(
        MemoryVector.objects.values_list("model_id").annotate(count=Count("memory_id"))
    )
    job = Job.objects.filter(kind=KIND).order_by("-id").first()
    spoken = Job.objects.filter(kind=language.KIND).order_by("-id").first()
    return ModelsView(
        memories=Memory.unscoped.count(),
        spaces=[
            SpaceView(
                one.name,
                one.dimensions,
                one.state,
                counts.get(one.pk, 0),
                one.warnings,
            )
            for one in EmbeddingModel.objects.order_by("pk")
        ],
        change=_change_view(job) if job else None,
        language=_change_view(spoken) if spoken else None,
    )


def follow_setting() -> ChangeView | None:
    """Return the change that begins because MNEME_EMBEDDER was changed, if it was.

    What was changed by hand since then stays.
    """
    if _open_job():
        return None
    job = Job.objects.filter(kind=KIND).order_by("-id").first()
    first = EmbeddingModel.objects.order_by("pk").first()
    if first is None:
        return None
    known = job.params.get("setting", first.name) if job else first.name
    active = EmbeddingModel.objects.filter(state=VectorSpaceState.ACTIVE).first()
    is_new = known != settings.EMBEDDER
    if not is_new or (active and active.name == settings.EMBEDDER):
        return None
    try:
        return change(by=SYSTEM, model=settings.EMBEDDER)
    except EmbedderUnavailable as error:
        logger.warning("MNEME_EMBEDDER cannot be used, the old model stays: %s", error)
        return None


def follow_language_model() -> ChangeView | None:
    """Return the replay that begins because another language model is configured.

    It says how much the answers that an earlier one ranked change.
    """
    setting = {"url": settings.LLM_URL, "model": settings.LLM_MODEL}
    job = Job.objects.filter(kind=language.KIND).order_by("-id").first()
    if not (settings.LLM_URL and settings.LLM_MODEL) or (job and job.params == setting):
        return None
    with isolation.transaction_for(SYSTEM):
        job = Job.objects.create(
            kind=language.KIND,
            params=setting,
            cursor={"phase": language.ASK},
            total=len(language.samples()),
            created_by=SYSTEM.name,
            created_at=timezone.now(),
        )
        auditing.record("llm.change", by=SYSTEM, job=str(job.pk))
        jobs.call_worker()
    return _change_view(job)


def check_thresholds() -> None:
    """Let a worker weigh the relation thresholds on the active model, if it has not."""
    enqueue("weigh_thresholds")


def _open_job() -> Job | None:
    return Job.objects.filter(kind=KIND, state__in=jobs.OPEN).order_by("-id").first()


def _move(by: Actor, state: JobState, action: str, *before: JobState) -> ChangeView:
    with isolation.transaction_for(by):
        job = Job.objects.filter(kind=KIND, state__in=before).order_by("-id").first()
        if job is None:
            raise TransitionRefused(
                "No change of the model is in that state.", why="no_such_change"
            )
        is_over = state == JobState.CANCELLED
        Job.objects.filter(pk=job.pk).update(
            state=state, finished_at=timezone.now() if is_over else None
        )
        auditing.record(action, by=by, model=job.params["model"], job=str(job.pk))
        if state == JobState.QUEUED:
            jobs.call_worker()
    job.refresh_from_db()
    return _change_view(job)


def _change_view(job: Job) -> ChangeView:
    return ChangeView(
        job_id=job.pk,
        model=job.params["model"],
        state=job.state,
        phase=phase_of(job),
        done=job.done,
        total=job.total,
        error=job.error,
        report=job.cursor.get("report", {}),
    )
