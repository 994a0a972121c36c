"""The figures of health by name: what each one means, and which belong together."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise

NAMES: dict[str, Text] = {
    "recalls": _("Recalls"),
    "found": _("Recalls that found something"),
    "hit_rate": _("Hit rate"),
    "useful_rate": _("Useful"),
    "sampled_recall": _("Sampled recall"),
    "write_precision": _("Write precision of held memories"),
    "sampled_precision": _("Sampled precision of the others"),
    "review_wait": _("Wait for a decision"),
    "refused": _("Refused writes"),
    "completed_first": _("Completed, first sessions"),
    "completed_later": _("Completed, later sessions"),
    "withdrawn": _("Withdrawn"),
    "complained": _("Complained"),
    "growth": _("Growth"),
    "decay": _("Faded and expired"),
    "duplicates": _("Said again"),
    "contradictions": _("Contradictions"),
}

DEFINITIONS: dict[str, Text] = {
    "recalls": _("Calls that asked for memories."),
    "found": _("Share of the calls that were given at least one memory."),
    "hit_rate": _(
        "Of the recalls on which an agent reported, those of which something was used."
    ),
    "useful_rate": _("Of the verdicts useful, not useful and wrong, the useful."),
    "sampled_recall": _(
        "Of the recalls that people looked at in the weekly sample, those that lack"
        " nothing that should have been remembered."
    ),
    "write_precision": _("Of the held memories that were decided, the approved."),
    "sampled_precision": _(
        "Of the unheld memories that people looked at in the weekly sample, the right."
    ),
    "review_wait": _("Median time from the write to the decision."),
    "refused": _("Writes that screening or a block refused."),
    "completed_first": _(
        "Of a person's first sessions whose end was reported, the completed."
    ),
    "completed_later": _(
        "Of a person's later sessions whose end was reported, the completed."
    ),
    "withdrawn": _("Of the sessions whose end was reported, the withdrawn."),
    "complained": _("Of the sessions whose end was reported, those with a complaint."),
    "growth": _("Stored, less what was replaced, deleted, archived or expired."),
    "decay": _("Memories that consolidation archived or expired."),
    "duplicates": _("Of the writes, those that said something known again."),
    "contradictions": _("Of the writes, those that replaced an older memory."),
}

GROUPS: list[tuple[Text, tuple[str, ...]]] = [
    (_("Recall"), ("hit_rate", "useful_rate", "sampled_recall", "found", "recalls")),
    (
        _("What is written"),
        ("write_precision", "sampled_precision", "review_wait", "refused"),
    ),
    (
        _("Sessions"),
        ("completed_first", "completed_later", "withdrawn", "complained"),
    ),
    (_("What is kept"), ("growth", "decay", "duplicates", "contradictions")),
]
