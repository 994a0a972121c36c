"""What can be read off a request: its person, its days, others about the same one."""

from datetime import date, datetime

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from moderation import deadlines
from moderation.case_files import CaseFile, seal, unseal
from moderation.deadlines import Pause
from moderation.models import CLOSED, CaseIdentifier, CaseState, ErasureCase
from moderation.regimes import RULES

OPEN = tuple(state for state in CaseState if state not in CLOSED)
KEYS = "data_keys"
"""A store that has something for anybody: a key that could be made is ruled out."""

TELLING = ("owner", "email", "phone")
"""Kinds that tell one person; a name may be somebody else's too."""


def file_of(case: ErasureCase) -> CaseFile:
    """Return what the request holds of the person in clear."""
    return unseal(case.ref, bytes(case.sealed))


def put_file(case: ErasureCase, file: CaseFile) -> None:
    """Put another file into the request."""
    case.sealed = seal(case.ref, file)


def due_on(case: ErasureCase, *, extended: bool | None = None) -> date:
    """Return the last day for the answer, or that with (or without) an extension.

    A pause that is not over adds nothing until it ends.
    """
    rules = RULES[case.regime]
    is_extended = case.told_on is not None if extended is None else extended
    ended = case.pauses.filter(ended_on__isnull=False)
    return deadlines.due(
        case.received_on,
        rules.period,
        extension=rules.extension if is_extended else None,
        pauses=[Pause(one.started_on, one.ended_on) for one in ended if one.ended_on],
        holidays=settings.HOLIDAYS,
    )


def today(now: datetime) -> date:
    """Return the controller's calendar day at a moment."""
    return timezone.localdate(now)


def others_of(case: ErasureCase) -> QuerySet[ErasureCase]:
    """Return other requests about the same person, the newest first.

    Found by owner id, e-mail address or telephone number; never by name.
    """
    digests = case.identifiers.filter(kind__in=TELLING).values("digest")
    same = CaseIdentifier.objects.filter(digest__in=digests, kind__in=TELLING)
    rows = ErasureCase.objects.filter(pk__in=same.values("case_id"))
    return rows.exclude(pk=case.pk).order_by("-created_at")


def is_empty(case: ErasureCase) -> bool:
    """Return whether the search found nothing of the person."""
    stores = (case.preview or {}).get("stores", [])
    found = any(one["matched"] for one in stores if one["store"] != KEYS)
    return bool(stores) and not found and not case.mentions.exists()
