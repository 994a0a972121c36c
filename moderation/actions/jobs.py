"""Jobs that people stop."""

from datetime import datetime

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import JobState
from memory_core.jobs import OPEN
from memory_core.models import Job


def cancel(*, job: Job, by: Actor, now: datetime) -> Job:
    """Return the job, cancelled unless it has ended; work stops at its next step."""
    with isolation.transaction_for(by):
        row = Job.objects.select_for_update().get(pk=job.pk)
        if row.state in OPEN:
            row.state, row.finished_at = JobState.CANCELLED, now
            row.save(update_fields=["state", "finished_at"])
            auditing.record("job.cancel", by=by, job=str(row.pk), kind=row.kind)
    return row
