"""The chain of the audit log verified because somebody asked, in turns like every job.

A hundred thousand entries take longer than a page may.
"""

from dataclasses import dataclass
from datetime import datetime

from memory_core import auditing, isolation, jobs
from memory_core.auditing import verify
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import JobState
from memory_core.models import AuditSeal, Job

KIND = "audit_check"


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest verification; its report is None before its end."""

    job: Job
    report: verify.Report | None

    @property
    def is_open(self) -> bool:
        """Whether it goes on."""
        return self.job.state in jobs.OPEN


def order(*, by: Actor, now: datetime) -> Job:
    """Return the job; one that waits or runs already is the same one."""
    with isolation.transaction_for(by):
        if job := Job.objects.filter(kind=KIND, state__in=jobs.OPEN).first():
            return job
        job = Job.objects.create(
            kind=KIND,
            total=AuditSeal.objects.count(),
            created_by=by.name,
            created_at=now,
        )
        auditing.record("audit.check", by=by, job=str(job.pk))
        jobs.call_worker()
    return job


def latest() -> Latest | None:
    """Return the latest verification that somebody asked for."""
    job = Job.objects.filter(kind=KIND).order_by("-created_at").first()
    if job is None:
        return None
    is_done = job.state == JobState.DONE
    return Latest(job, verify.Check.of(job.cursor).report if is_done else None)


def advance(job: Job, until: float) -> bool:
    """Verify until a moment of `time.monotonic()`; return whether all is verified."""
    check = verify.Check.of(job.cursor)
    is_done = verify.go_on(check, until=until)
    job.cursor, job.done = check.as_dict(), check.report.checked
    job.total = max(job.total or 0, job.done)
    job.save(update_fields=["cursor", "done", "total"])
    return is_done
