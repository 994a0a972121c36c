"""What people move in: a file taken, described, tried, imported, given up."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from memory_core import auditing, isolation, jobs
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import JobState
from memory_core.exceptions import InvalidInput, TransitionRefused
from memory_core.models import Job, Namespace
from memory_core.snapshots import foreign, uploads
from memory_core.snapshots.drafts import Age
from memory_core.snapshots.foreign import NATIVE, Said
from memory_core.snapshots.keeping import write
from memory_core.snapshots.uploads import DESCRIBED, LOOKED, MAPPING, UPLOADED

LONGEST_NAME = 100


def upload(*, name: str, pieces: Iterable[bytes], by: Actor, now: datetime) -> Job:
    """Return the job of a new file, which waits for somebody to say what it is."""
    job = Job(
        kind=uploads.KIND,
        state=JobState.PAUSED,
        params={"name": name[-LONGEST_NAME:], "namespace": "", "said": {}},
        cursor={"phase": UPLOADED},
        created_by=by.name,
        created_at=now,
    )
    path = uploads.source_of(job.pk)
    write(path, iter(pieces))
    job.params["bytes"] = path.stat().st_size
    with isolation.transaction_for(by):
        job.save(force_insert=True)
        auditing.record(
            "import.upload", by=by, job=str(job.pk), bytes=job.params["bytes"]
        )
    return job


def describe(
    *, job: Job, said: Said, namespace: str, age: Age = "touch", by: Actor
) -> Job:
    """Return the job with what its file is; raises InvalidInput for what does not fit.

    Only the service's own files may say themselves where each memory goes.
    """
    foreign.checked(said)
    space = Namespace.objects.filter(name=namespace).first()
    if namespace and space is None:
        raise InvalidInput(
            "There is no such namespace.", field="namespace", why="no_such_namespace"
        )
    if not namespace and said.system != NATIVE:
        raise InvalidInput(
            "The memories need a namespace.", field="namespace", why="needs_namespace"
        )
    said_now: dict[str, Any] = {
        "said": uploads.kept(said),
        "namespace": namespace,
        "age": age,
    }
    with isolation.transaction_for(by):
        row = _waiting(job)
        row.params |= said_now
        row.namespace = space
        row.cursor = {"phase": DESCRIBED}
        row.error = ""
        row.save(update_fields=["params", "namespace", "cursor", "error"])
    return row


def begin(*, job: Job, dry_run: bool, by: Actor) -> Job:
    """Return the job, which now runs: for show, or so that memories come in.

    Raises TransitionRefused before the file was described.
    """
    with isolation.transaction_for(by):
        row = _waiting(job)
        if uploads.phase_of(row) not in (DESCRIBED, LOOKED):
            raise TransitionRefused(
                "Nobody has said what the file is.", why="undescribed"
            )
        row.params["dry_run"] = dry_run
        row.cursor = {"phase": MAPPING}
        row.state, row.counts, row.done = JobState.QUEUED, {}, 0
        row.save(update_fields=["params", "cursor", "state", "counts", "done"])
        auditing.record(
            "import.begin",
            by=by,
            namespace=row.params["namespace"],
            job=str(row.pk),
            system=row.params["said"]["system"],
            dry_run=dry_run,
        )
        jobs.call_worker()
    return row


def give_up(*, job: Job, by: Actor, now: datetime) -> Job:
    """Return the job, ended; its file is deleted, what came in stays."""
    with isolation.transaction_for(by):
        row = Job.objects.select_for_update().get(pk=job.pk)
        if row.state in jobs.OPEN:
            row.state, row.finished_at = JobState.CANCELLED, now
            row.save(update_fields=["state", "finished_at"])
            auditing.record("import.give_up", by=by, job=str(row.pk))
    uploads.drop_files(row.pk)
    return row


def _waiting(job: Job) -> Job:
    row = Job.objects.select_for_update().get(pk=job.pk)
    if row.state != JobState.PAUSED:
        raise TransitionRefused(
            "The import is under way or over.", why="import_not_waiting"
        )
    return row
