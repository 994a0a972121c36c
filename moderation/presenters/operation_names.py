"""Names of codes on the pages for operators."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import JobState

Text = str | Promise

# Events behind the figures of health.
HAPPENINGS: dict[str, Text] = {
    "recall.found": _("was given something"),
    "recall.empty": _("was given nothing"),
    "used": _("used"),
    "unused": _("not used"),
    "used unused": _("some used"),
    "unused used": _("some used"),
    "useful": _("useful"),
    "not_useful": _("not useful"),
    "wrong": _("wrong"),
    "right": _("right"),
    "review.approve": _("approved"),
    "review.reject": _("rejected"),
    "approved": _("approved"),
    "rejected": _("rejected"),
    "completed": _("completed"),
    "withdrawn": _("withdrawn"),
    "complained": _("complained"),
    "memory.save": _("stored"),
    "memory.delete": _("deleted"),
    "memory.archive": _("archived"),
    "consolidation.archived": _("faded"),
    "consolidation.expired": _("expired"),
    "added": _("new"),
    "reinforced": _("said again"),
    "unchanged": _("known already"),
    "updated": _("changed"),
}

# Steps of a memory's review, by the actions of the audit log.
DECISIONS: dict[str, Text] = {
    "review.approve": _("approved"),
    "review.approve_first": _("would let it in"),
    "review.confirm": _("agreed with the agent"),
    "review.dispute": _("would not let it in"),
    "review.escalate": _("handed on to a lead"),
    "review.reject": _("rejected"),
    "review.reopen": _("put back into the queue"),
    "review.settle": _("settled"),
    "review.take_back": _("taken back"),
}

OPERATIONS: dict[str, Text] = {
    "recall": _("recall"),
    "save": _("save"),
    "forget": _("forget"),
}

# What a consolidation did to a memory.
CHANGES: dict[str, Text] = {
    "expired": _("expired"),
    "archived": _("archived"),
    "merged": _("joined"),
    "superseded": _("replaced"),
    "held": _("held"),
    "purged": _("deleted for good"),
}

# What people do with a change of the embedding model.
CHANGE_VERBS: dict[str, Text] = {
    "pause": _("Pause"),
    "resume": _("Go on"),
    "cancel": _("Give up"),
    "switch": _("Switch now"),
}

CODES: dict[str, dict[str, Text]] = {
    "happening": HAPPENINGS,
    "operation": OPERATIONS,
    "changeverb": CHANGE_VERBS,
    "jobstate": dict(JobState.choices),
}
