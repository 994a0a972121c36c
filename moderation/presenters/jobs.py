"""A job of any kind in words: what it has counted, and each change with its why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from memory_core.models import Job
from moderation.presenters import blocks
from moderation.presenters.batches import outcome_name
from moderation.presenters.names import COUNTS, named, reason
from moderation.presenters.operation_names import CHANGES, Text

SHOWN = 200

RESCANNED: dict[str, Text] = {
    "held": _("held"),
    "kept": _("left as they were"),
    "waiting": _("waited already"),
}
BACKTESTED: dict[str, Text] = {
    "queries": _("queries asked again"),
    "changed": _("with another answer"),
}
COUNTED: dict[str, Mapping[str, Text]] = {
    "consolidation": CHANGES,
    "rescan": RESCANNED,
    "backtest": BACKTESTED,
    "withdrawal": blocks.COUNTS,
}
ONLY = frozenset({"backtest"})
"""Kinds whose other sums are for arithmetic: their own page shows what comes of it."""

PARTS: dict[str, Text] = {
    "action": _("Change"),
    "memory_id": _("Memory"),
    "into": _("joined into"),
    "with": _("together with"),
    "winner": _("replaced by"),
    "category": _("Category"),
    "reason": _("Reason"),
    "expire_at": _("expires"),
    "score": _("Score"),
    "archive_below": _("archived below"),
    "half_life_days": _("half-life in days"),
    "unrecalled_since": _("not recalled since"),
    "access_count": _("times recalled"),
    "rejected_days": _("days since the rejection"),
    "relation": _("relation"),
    "p": _("probability"),
    "version": _("version of the judge"),
    "signals": _("signals"),
    "recall_id": _("Recall"),
    "lost": _("no longer returned"),
    "gained": _("newly returned"),
}
RELATIONS: dict[str, Text] = {
    "duplicate": _("says the same"),
    "supersede": _("replaces"),
    "refines": _("says more"),
    "distinct": _("says something else"),
}
WORDS: dict[str, Callable[[str], Text | None]] = {
    "action": CHANGES.get,
    "relation": RELATIONS.get,
    "reason": reason,
    "category": lambda code: named(code, "category"),
}
OF_MEMORIES = frozenset({"memory_id", "into", "with", "winner", "lost", "gained"})


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a case: its name, and memories, a moment or a text."""

    name: Text
    text: Text = ""
    moment: datetime | None = None
    memories: tuple[UUID, ...] = ()


def counts_of(job: Job) -> list[tuple[Text, int]]:
    """Return what the job has counted, by name."""
    if job.kind == "bulk_review":
        return [(outcome_name(code), job.counts[code]) for code in sorted(job.counts)]
    names = COUNTED.get(job.kind, COUNTS)
    codes = [code for code in names if code in job.counts]
    if job.kind not in ONLY:
        codes += [code for code in job.counts if code not in names]
    return [(names.get(code, code), job.counts[code]) for code in codes]


def cases_of(job: Job) -> list[list[Part]]:
    """Return the first changes that the job has explained, each as its parts."""
    return [
        [_part(code, value) for code, value in case.items()]
        for case in job.cases[:SHOWN]
    ]


def _part(code: str, value: Any) -> Part:
    name = PARTS.get(code, code)
    if code in OF_MEMORIES:
        ids = value if isinstance(value, list) else [value]
        return Part(name, memories=tuple(UUID(one) for one in ids))
    if code in ("expire_at", "unrecalled_since"):
        return Part(name, moment=parse_datetime(value))
    if code == "signals":
        return Part(name, ", ".join(f"{key} {one}" for key, one in value.items()))
    words = WORDS.get(code)
    return Part(name, (words(value) if words else None) or str(value))
