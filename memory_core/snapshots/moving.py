"""The engine of an import that a person started: map, then place, turn by turn."""

from django.db import transaction
from django.utils import timezone

from memory_core import auditing
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import JobState
from memory_core.exceptions import InvalidInput
from memory_core.models import Job
from memory_core.snapshots import everywhere, uploads
from memory_core.snapshots.importing import Target
from memory_core.snapshots.report import Report
from memory_core.snapshots.uploads import LOOKED, MAPPING, OVER, PLACING, UPLOADED


def advance(job: Job, until: float) -> bool:
    """Work on an import until that moment of the clock; return whether it is done."""
    if uploads.phase_of(job) == MAPPING and not _map(job):
        return False
    report = uploads.run(job, _target(job), until)
    if report is None:
        return False
    if report.dry_run:
        wait_for_a_person(job, LOOKED)
        return False
    _record_end(job, report)
    uploads.drop_files(job.pk)
    _move_to(job, OVER)
    return True


def wait_for_a_person(job: Job, phase: str, *, error: str = "") -> None:
    """Let a job stand until somebody has looked."""
    job.error = error[:500]
    job.state = JobState.PAUSED
    job.cursor["phase"] = phase
    running = Job.objects.filter(pk=job.pk, state=JobState.RUNNING)
    running.update(state=job.state, cursor=job.cursor, error=job.error)


def _map(job: Job) -> bool:
    """Make the mapped file; a file that is not what was said of it waits again."""
    try:
        total = uploads.prepare(job)
    except InvalidInput as error:
        wait_for_a_person(job, UPLOADED, error=error.detail)
        return False
    uploads.begin_again(job, _target(job))
    job.total, job.done = total, 0
    _move_to(job, PLACING)
    return True


def _move_to(job: Job, phase: str) -> None:
    job.cursor["phase"] = phase
    job.save(update_fields=["cursor", "total", "done"])


def _target(job: Job) -> Target:
    params = job.params
    return everywhere.target(
        by=Actor(job.created_by),
        namespace=params["namespace"],
        dry_run=params["dry_run"],
        age=params["age"],
        now=job.created_at if params["dry_run"] else timezone.now(),
    )


def _record_end(job: Job, report: Report) -> None:
    with transaction.atomic():
        auditing.record(
            "memory.import.end",
            by=Actor(job.created_by),
            namespace=job.params["namespace"],
            job=str(job.pk),
            lines=report.lines,
            added=report.added,
            updated=report.updated,
            unchanged=report.unchanged,
            refused=report.refused,
            faults=report.faults,
        )
