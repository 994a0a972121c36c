"""What is deleted of closed requests as time passes: evidence first, then the file."""

from datetime import datetime, timedelta

from django.conf import settings

from memory_core import isolation
from memory_core.contracts.callers import SYSTEM
from moderation import case_files
from moderation.actions.casework import log
from moderation.deadlines import add_months
from moderation.models import CaseNote, ErasureCase

EVIDENCE_KEPT = timedelta(days=30)


def tidy(*, now: datetime) -> int:
    """Delete what was kept long enough; return how many files were reduced.

    Evidence of identity goes 30 days after the end, names, letters and remarks after
    MNEME_CASE_FILE_MONTHS. What stays are dates, codes and digests.
    """
    old = now - EVIDENCE_KEPT
    evidence = CaseNote.objects.filter(kind=CaseNote.Kind.EVIDENCE)
    evidence.filter(case__closed_at__lte=old).delete()
    last = add_months(now.date(), -settings.CASE_FILE_MONTHS)
    over = ErasureCase.objects.filter(closed_at__date__lte=last, reduced_at=None)
    refs = list(over.exclude(answered_on=None).values_list("ref", flat=True))
    for ref in refs:
        reduce(ref=ref, now=now)
    return len(refs)


def reduce(*, ref: str, now: datetime) -> ErasureCase:
    """Return the request without names, letters, remarks and the key to them."""
    with isolation.transaction_for(SYSTEM):
        case = ErasureCase.objects.select_for_update().get(ref=ref)
        log(case, "reduced", by=SYSTEM, now=now)
        case.letters.update(sealed=b"")
        case.notes.all().delete()
        case.recipients.filter(kind="other").delete()
        case.sealed, case.reduced_at = b"", now
        case.save(update_fields=["sealed", "reduced_at"])
    case_files.destroy(ref)
    return case
