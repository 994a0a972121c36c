"""The laws under which people ask for deletion: periods, grounds, exceptions.

To be confirmed by the site's counsel. PIPL names no number of days; fifteen working
days is what Chinese authorities ask of apps.
"""

from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from moderation.deadlines import Period

INTERNAL = Period(10, "days")
"""By when we aim to answer, whatever the law leaves us."""

Names = tuple[tuple[str, str | Promise], ...]


class Regime(TextChoices):
    GDPR = "gdpr", _("GDPR (EU)")
    UK = "uk", _("UK GDPR")
    CCPA = "ccpa", _("CCPA (California)")
    PIPL = "pipl", _("PIPL (China)")


@dataclass(frozen=True, slots=True)
class Rules:
    """How long there is for an answer, and on which grounds data go or stay.

    `grounds` and `exceptions` are codes with what people call them.
    """

    period: Period
    extension: Period | None
    grounds: Names
    exceptions: Names
    article: str


EU_GROUNDS: Names = (
    ("17-1-a", _("Art. 17(1)(a): no longer needed for the purpose")),
    ("17-1-b", _("Art. 17(1)(b): consent withdrawn")),
    ("17-1-c", _("Art. 17(1)(c): objection, nothing overrides it")),
    ("17-1-d", _("Art. 17(1)(d): processed unlawfully")),
    ("17-1-e", _("Art. 17(1)(e): the law demands erasure")),
    ("17-1-f", _("Art. 17(1)(f): service offered to a child")),
)
EU_EXCEPTIONS: Names = (
    ("17-3-a", _("Art. 17(3)(a): freedom of expression and information")),
    ("17-3-b", _("Art. 17(3)(b): a legal duty to keep")),
    ("17-3-c", _("Art. 17(3)(c): public health")),
    ("17-3-d", _("Art. 17(3)(d): archives, research, statistics")),
    ("17-3-e", _("Art. 17(3)(e): legal claims")),
    ("12-5", _("Art. 12(5): manifestly unfounded or excessive")),
)
RULES: dict[str, Rules] = {
    Regime.GDPR: Rules(
        period=Period(1, "months"),
        extension=Period(2, "months"),
        grounds=EU_GROUNDS,
        exceptions=EU_EXCEPTIONS,
        article="Art. 17 GDPR",
    ),
    Regime.UK: Rules(
        period=Period(1, "months"),
        extension=Period(2, "months"),
        grounds=EU_GROUNDS,
        exceptions=EU_EXCEPTIONS,
        article="Art. 17 UK GDPR",
    ),
    Regime.CCPA: Rules(
        period=Period(45, "days"),
        extension=Period(45, "days"),
        grounds=(("1798-105-a", _("§ 1798.105(a): the consumer asks for it")),),
        exceptions=(
            ("1798-105-d-1", _("§ 1798.105(d)(1): needed for what was ordered")),
            ("1798-105-d-2", _("§ 1798.105(d)(2): security and integrity")),
            ("1798-105-d-8", _("§ 1798.105(d)(8): a legal obligation")),
            ("1798-145-h-3", _("§ 1798.145(h)(3): unfounded or excessive")),
        ),
        article="Cal. Civ. Code § 1798.105",
    ),
    Regime.PIPL: Rules(
        period=Period(15, "working_days"),
        extension=None,
        grounds=(
            ("47-1", _("Art. 47(1): purpose reached or no longer needed")),
            ("47-2", _("Art. 47(2): service ended or retention over")),
            ("47-3", _("Art. 47(3): consent withdrawn")),
            ("47-4", _("Art. 47(4): processed against the law or the agreement")),
            ("47-5", _("Art. 47(5): another case of the law")),
        ),
        exceptions=(
            ("47-retention", _("Art. 47: the law's retention period is not over")),
            ("47-technical", _("Art. 47: deletion is technically hard; only stored")),
        ),
        article="PIPL Art. 47",
    ),
}

HOLD_REASONS: Names = (
    ("legal_claims", _("needed for legal claims")),
    ("legal_duty", _("a legal duty to keep")),
    ("authority_order", _("an order of a court or an authority")),
    ("public_health", _("public health")),
    ("archives", _("archives, research, statistics")),
    ("expression", _("freedom of expression and information")),
)
"""Why something must be kept for now, whatever law the request is made under."""


def grounds_of(regime: str) -> dict[str, str | Promise]:
    """Return the grounds for erasure, code by code."""
    return dict(RULES[regime].grounds)


def exceptions_of(regime: str) -> dict[str, str | Promise]:
    """Return the reasons for which a request may be refused or data kept."""
    return dict(RULES[regime].exceptions)


def article_of(code: str) -> str:
    """Return how a ground's or exception's law calls it, as `Art. 17(1)(b)`."""
    for rules in RULES.values():
        for known, name in (*rules.grounds, *rules.exceptions):
            if known == code:
                with translation.override("en"):
                    return str(name).partition(":")[0]
    return code
