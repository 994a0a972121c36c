"""Versions of a policy, each with what it changed."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import (
    AgentReview,
    HoldInferences,
    SecondReview,
    Secrets,
)
from memory_core.models import Namespace
from moderation.models import PolicyVersion

NAMES: dict[str, str | Promise] = {
    "hold_inferences": _("Hold"),
    "review_share": _("Share"),
    "agent_review": _("Reviewer agents may"),
    "secrets": _("Keys and passwords"),
    "second_review": _("Two people must agree"),
}
WORDS: dict[str, Mapping[str, str | Promise]] = {
    "hold_inferences": dict(HoldInferences.choices),
    "agent_review": dict(AgentReview.choices),
    "secrets": {"": _("as everywhere"), **dict(Secrets.choices)},
    "second_review": dict(SecondReview.choices),
}
SHOWN = 50


def changes(namespace: Namespace) -> list[tuple[PolicyVersion, list[str]]]:
    """Return the versions, the newest first, with what each changed."""
    rows = list(
        PolicyVersion.objects.filter(namespace=namespace).order_by("-version")[:SHOWN]
    )
    earlier = [one.values for one in rows[1:]]
    return [
        (row, _changed(before, row.values))
        for row, before in zip(rows, [*earlier, {}], strict=False)
    ]


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [
        f"{name}: {_said(key, before[key])} → {_said(key, after[key])}"
        if before
        else f"{name}: {_said(key, after[key])}"
        for key, name in NAMES.items()
        if not before or before[key] != after[key]
    ]


def _said(key: str, value: Any) -> str:
    words = WORDS.get(key, {})
    if isinstance(value, list):
        return ", ".join(str(words[one]) for one in value) or "–"
    return str(words.get(value, value))
