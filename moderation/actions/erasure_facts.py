"""A request and its run, as a certificate tells of them: codes, counts, times."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q

from memory_core import backups
from memory_core.contracts.certificates import (
    Approval,
    BackupFacts,
    CertificateKind,
    Facts,
    Identity,
    Kept,
    ProbeResult,
    Recipient,
    StoreResult,
    SubjectDigest,
    Timeline,
)
from memory_core.keys import tombstones
from memory_core.models import ErasureRun, LegalHold, Memory
from moderation.actions import certificates
from moderation.models import CaseMention, ErasureCase
from moderation.permissions import roles_of
from moderation.regimes import article_of

Treatment = CaseMention.Treatment


def facts_of(
    case: ErasureCase, kind: CertificateKind, *, backups_gone_at: datetime | None = None
) -> Facts:
    """Return what a certificate of this kind says about the request as it stands."""
    run = ErasureRun.objects.filter(ref=case.run_ref).first() if case.run_ref else None
    return Facts(
        kind=kind,
        case_ref=case.ref,
        regime=case.regime,
        issuer=certificates.issuer(),
        timeline=_timeline(case, run, backups_gone_at),
        identity=Identity(
            requester=case.requester,
            method=case.identity_method,
            settled_on=case.identified_on,
        ),
        subject=_subject(case),
        ground=article_of(case.ground),
        kept=_kept(run),
        identifiers=Counter(one.kind for one in _subject(case)),
        stores=_stores(run),
        mentions=_mentions(case),
        recipients=_recipients(case),
        backups=_backups(case.backups_until) if run else None,
        probes=_probes(run),
        verified_at=run.verified_at if run else None,
        approvals=_approvals(case),
    )


def _timeline(
    case: ErasureCase, run: ErasureRun | None, backups_gone_at: datetime | None
) -> Timeline:
    return Timeline(
        received_on=case.received_on,
        channel=case.channel,
        due_on=case.due_on,
        extension_reason=case.extension_reason,
        told_on=case.told_on,
        decided_at=case.approved_at,
        fenced_at=run.fenced_at if run else None,
        live_erased_at=case.live_erased_at,
        index_purged_at=case.index_purged_at,
        backups_gone_at=backups_gone_at,
        backups_expected_on=case.backups_until,
    )


def _subject(case: ErasureCase) -> list[SubjectDigest]:
    rows = case.identifiers.filter(key_id=tombstones.current_kid())
    return [
        SubjectDigest(kind=one.kind, kid=one.key_id, digest=bytes(one.digest).hex())
        for one in rows.order_by("kind", "pk")
    ]


def _kept(run: ErasureRun | None) -> list[Kept]:
    if run is None:
        return []
    rows = LegalHold.objects.filter(pk__in=run.holds).order_by("pk")
    reached = [(hold, _reach(hold, run)) for hold in rows]
    return [
        Kept(
            ground=hold.reason,
            count=count,
            reason=hold.reason,
            until=hold.expires_at.date() if hold.expires_at else None,
            hold=str(hold.pk),
        )
        for hold, count in reached
        if count
    ]


def _reach(hold: LegalHold, run: ErasureRun) -> int:
    """Return how many of the person's memories a hold still keeps."""
    own = Memory.unscoped.filter(owner_id__in=run.owners)
    return own.filter(
        Q(pk=hold.memory_id) | Q(owner=hold.owner_id) | Q(namespace=hold.namespace_id)
    ).count()


def _stores(run: ErasureRun | None) -> list[StoreResult]:
    return [
        StoreResult(
            store=one.store,
            matched=one.matched,
            erased=one.erased,
            redacted=one.redacted,
            retained=one.held,
            residue=one.residue,
            attempts=one.attempts,
            started_at=one.started_at,
            ended_at=one.ended_at,
        )
        for one in (run.passes.all() if run else ())
    ]


def _mentions(case: ErasureCase) -> dict[str, int]:
    counts = Counter(case.mentions.values_list("treatment", flat=True))
    return {"redacted": counts[Treatment.REDACT], "kept": counts[Treatment.KEEP]}


def _recipients(case: ErasureCase) -> list[Recipient]:
    return [
        Recipient(name=f"{one.kind} {one.name}", told_on=one.told_on, result=one.result)
        for one in case.recipients.exclude(kind="other").order_by("kind", "name")
    ]


def _backups(until: date | None) -> BackupFacts:
    drill = backups.last_drill()
    return BackupFacts(
        retention_days=settings.BACKUP_DAYS,
        expected_on=until,
        last_drill_at=drill.at if drill else None,
        last_drill_ok=drill.ok if drill else None,
    )


def _probes(run: ErasureRun | None) -> list[ProbeResult]:
    return [ProbeResult(**one) for one in (run.probes if run else ())]


def _approvals(case: ErasureCase) -> Sequence[Approval]:
    parts = (("prepared", case.proposed_by), ("approved", case.approved_by))
    return [
        Approval(staff=str(user.pk), role=_role(user), part=part)
        for part, user in parts
        if user is not None
    ]


def _role(user: User) -> str:
    return next((role.value for role in roles_of(user)), "")
