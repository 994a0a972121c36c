"""What is held about a person, for the person (Art. 15)."""

from datetime import datetime

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import Subject
from memory_core.erasure.report import AccessReport, report


def make(*, subject: Subject, by: Actor, now: datetime) -> AccessReport:
    """Return the report; that somebody looked is on the audit log."""
    with isolation.transaction_for(by):
        made = report(subject, now=now)
        auditing.record(
            "access.report",
            by=by,
            owner_id=subject.owner_ids[0] if subject.owner_ids else "",
            memories=len(made.memories),
        )
    return made
