"""What became of what a blocked writer wrote."""

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.models import Job
from moderation.presenters.courses import Course, course_of
from moderation.presenters.names import STATUSES, named

LEFT = "left_alone"
COUNTS: dict[str, str | Promise] = {
    "done": _("moved"),
    "left": _("left alone: changed meanwhile"),
}


def withdrawal(job: Job) -> Course:
    """Return how a withdrawal goes, what was left alone first."""
    return course_of(
        job,
        named(job.params["verb"], "withdrawal"),
        odd=Q(outcome=LEFT),
        outcome=_outcome,
        count=COUNTS.__getitem__,
    )


def _outcome(code: str) -> str | Promise:
    """Return what people call the outcome of one memory: mostly what it was."""
    if code == LEFT:
        return _("left alone")
    return STATUSES[code] if code else _("waits")
