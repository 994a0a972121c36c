"""What is written to the person: a template for each kind and language, and dates.

A letter names nobody: its address and salutation are up to the channel.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.template.loader import get_template
from django.utils import translation
from django.utils.formats import date_format
from django.utils.safestring import mark_safe

from moderation.models import ErasureCase
from moderation.regimes import HOLD_REASONS, RULES, exceptions_of, grounds_of


@dataclass(frozen=True, slots=True)
class Facts:
    """What a letter says beyond the case itself; `kept` are codes of holds."""

    today: date
    first_due_on: date
    reasons: str = ""
    kept: tuple[str, ...] = ()


def text_of(kind: str, case: ErasureCase, facts: Facts) -> str:
    """Return the letter in the person's language."""
    language = case.language if case.language in dict(settings.LANGUAGES) else "en"
    with translation.override(language):
        values = _values(case, facts)
        page = get_template(f"letters/{language}/{kind}.txt")
        return page.render(values).strip() + "\n"


def _values(case: ErasureCase, facts: Facts) -> dict[str, object]:
    kept = dict(HOLD_REASONS)
    names = {**grounds_of(case.regime), **exceptions_of(case.regime)}
    erased = case.live_erased_at
    plain = {
        "ref": case.ref,
        "first_ref": case.duplicate_of.ref if case.duplicate_of else "",
        "article": RULES[case.regime].article,
        "ground": str(names.get(case.ground, "")),
        "extension_reason": case.extension_reason,
        "received_on": _day(case.received_on),
        "due_on": _day(case.due_on),
        "erased_on": _day(erased.date() if erased else None),
        "backups_until": _day(case.backups_until),
        "today": _day(facts.today),
        "first_due_on": _day(facts.first_due_on),
        "reasons": facts.reasons,
        "controller": settings.CONTROLLER,
        "contact": settings.CONTROLLER_CONTACT,
        "officer": settings.DPO,
        "authority": settings.AUTHORITY,
    }
    texts: dict[str, object] = dict(
        zip(plain, _as_they_are(plain.values()), strict=True)
    )
    texts["kept"] = _as_they_are(str(kept.get(code, code)) for code in facts.kept)
    return texts


def _as_they_are(values: Iterable[str]) -> list[str]:
    """Mark texts so that a plain-text template does not write entities."""
    return [mark_safe(value) for value in values]  # noqa: S308 - not for HTML


def _day(day: date | None) -> str:
    return date_format(day, "DATE_FORMAT") if day else ""
