"""Whether forgetting works: the last canary, the backups, the last restore drill."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory_core import backups
from memory_core.erasure import canary

Text = str | Promise
DRILL_IS_OLD = timedelta(days=92)
"""A way back that nobody tried for a quarter of a year is a hope."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One proof: when it was last given, and whether it is good, `warn` or `bad`."""

    name: Text
    at: datetime | None
    tone: str
    said: str


def proofs(*, now: datetime) -> Sequence[Proof]:
    """Return the proofs as they stand."""
    return [_canary(now), _backup(now), _drill(now)]


def _canary(now: datetime) -> Proof:
    name = gettext_lazy("Canary: a made-up person, erased daily")
    last = canary.last(now=now)
    if last is None:
        return Proof(name, None, "", _("none yet"))
    if not last.is_well:
        return Proof(name, last.sent_at, "bad", _("not erased"))
    if last.seconds is None:
        return Proof(name, last.sent_at, "", _("being erased"))
    return Proof(name, last.sent_at, "good", _("erased and verified"))


def _backup(now: datetime) -> Proof:
    name = gettext_lazy("Newest backup")
    standing = backups.standing()
    if not standing:
        return Proof(name, None, "warn", _("none yet"))
    late = sum(one.expires_at < now for one in standing)
    if late:
        said = ngettext(
            "%(count)s backup is past its date and cannot be deleted",
            "%(count)s backups are past their date and cannot be deleted",
            late,
        )
        return Proof(name, standing[-1].taken_at, "bad", said % {"count": late})
    return Proof(name, standing[-1].taken_at, "good", _("in the catalogue"))


def _drill(now: datetime) -> Proof:
    name = gettext_lazy("Last restore drill")
    last = backups.last_drill()
    if last is None:
        return Proof(name, None, "warn", _("none yet"))
    if not last.ok:
        return Proof(name, last.at, "bad", _("failed"))
    if now - last.at > DRILL_IS_OLD:
        return Proof(name, last.at, "warn", _("long ago"))
    return Proof(name, last.at, "good", _("restored and erased again"))
