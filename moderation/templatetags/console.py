"""What templates need to show memories: hostile text as text, moments, digests."""

import unicodedata
from collections.abc import Iterable
from datetime import datetime, timedelta

from django import template
from django.template.defaultfilters import date as format_date
from django.utils import timezone
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext as _

from memory_core.contracts.enums import Status
from memory_core.exceptions import MnemeError
from memory_core.models import Job
from moderation.presenters import names
from moderation.presenters.jobs import counts_of
from moderation.presenters.operation_names import Text
from moderation.presenters.refusals import refusal

register = template.Library()

VISIBLE_CONTROLS = {"\n", "\t"}
A_MOMENT = timedelta(minutes=1)
UNSEEN = {"Cf", "Cc", "Co", "Cn", "Zl", "Zp"}


@register.filter
def memory_text(text: str) -> SafeString:
    """Return escaped text in `<bdi>`, each invisible character drawn as a chip."""
    parts = format_html_join("", "{}", ((_drawn(letter),) for letter in text))
    return format_html('<bdi class="memory-text">{}</bdi>', parts)


@register.filter
def excerpt(text: str) -> SafeString:
    """Return the first 200 characters, drawn like `memory_text`, on two lines."""
    cut = text if len(text) <= 200 else text[:200] + "…"
    parts = format_html_join("", "{}", ((_drawn(letter),) for letter in cut))
    return format_html('<bdi class="excerpt">{}</bdi>', parts)


@register.filter
def masked(text: str) -> str:
    """Return the first sign and dots: for eyes that need not know who it is."""
    return f"{text[:1]}•••" if text else ""


@register.filter
def when(moment: datetime | None) -> SafeString:
    """Return a `<time>` that says how long ago or ahead, with the moment as title."""
    if moment is None:
        return mark_safe("–")
    now = timezone.now()
    if abs(now - moment) < A_MOMENT:
        words = _("just now")
    elif moment <= now:
        words = _("%(time)s ago") % {"time": timesince(moment, now, depth=1)}
    else:
        words = _("in %(time)s") % {"time": timeuntil(moment, now, depth=1)}
    return format_html(
        '<time datetime="{}" title="{} UTC">{}</time>',
        moment.isoformat(),
        format_date(moment, "Y-m-d H:i:s"),
        words,
    )


@register.filter
def word(status: int) -> str:
    """Return the word of a memory's status: `active`, `pending`, ..."""
    return Status(status).word


@register.filter
def named(code: str, kind: str) -> str:
    """Return what people call a stored code (kinds: presenters.names.NAMES)."""
    return str(names.named(code, kind))


@register.filter
def counts(job: Job) -> list[tuple[Text, int]]:
    """Return what a job has counted, by name."""
    return counts_of(job)


@register.filter
def said(error: MnemeError) -> str:
    """Return a refusal in the words of the console."""
    return refusal(error)


@register.simple_tag
def reason_tags(codes: Iterable[str]) -> SafeString:
    """Return a tag for each different reason, its codes as title."""
    grouped: dict[str, list[str]] = {}
    for code in codes:
        grouped.setdefault(str(names.reason(code)), []).append(code)
    return format_html_join(
        " ",
        '<span class="tag warn" title="{}">{}</span>',
        ((", ".join(found), name) for name, found in grouped.items()),
    )


@register.filter
def hexadecimal(value: bytes | memoryview) -> str:
    """Return bytes as hexadecimal digits."""
    return bytes(value).hex()


@register.filter
def percent(value: float | None) -> str:
    """Return a share in [0, 1] as whole percent."""
    return "–" if value is None else f"{value * 100:.0f} %"


def _drawn(letter: str) -> SafeString:
    if letter in VISIBLE_CONTROLS or not _is_unseen(letter):
        return SafeString(conditional_escape(letter))
    name = unicodedata.name(letter, "control")
    return format_html(
        '<span class="chip-invisible" title="{}">U+{}</span>',
        name,
        f"{ord(letter):04X}",
    )


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in UNSEEN or 0xFE00 <= ord(letter) <= 0xFE0F
