"""Sources: how far they are trusted, and blocking the poisoned ones."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import SourceKind, Trust
from memory_core.exceptions import InvalidInput
from memory_core.models import Source
from memory_core.saving.source_key import host_of

BLOCK = ("blocked_at", "blocked_by", "blocked_until", "block_reason")


def set_trust(*, source: Source, trust: str, by: Actor) -> Source:
    """Return the source with another trust; recalls heed it from now on."""
    if trust not in Trust.values:
        raise InvalidInput(f"Trust is one of {', '.join(Trust.values)}.")
    with isolation.transaction_for(by):
        row = Source.objects.select_for_update().get(pk=source.pk)
        before, row.trust = row.trust, trust
        row.save(update_fields=["trust"])
        _record("source.trust", row, by, before=before, after=trust)
    return row


def block(
    *,
    source: Source,
    by: Actor,
    reason: str,
    until: datetime | None = None,
    now: datetime | None = None,
) -> Source:
    """Return the source, blocked: no write of it commits after this does.

    A write holds its source's row until it commits, so that the lock here waits for
    writes under way and later ones see the block. What goes under its name as another
    machine's, and the paths and domains below an address, are blocked with it.
    """
    now = now or timezone.now()
    with isolation.transaction_for(by):
        row = Source.objects.select_for_update().get(pk=source.pk)
        rows = [row, *_below(row).select_for_update().filter(blocked_at=None)]
        for one in rows:
            one.blocked_at, one.blocked_by = now, by.name
            one.blocked_until, one.block_reason = until, reason
            one.save(update_fields=BLOCK)
        _record(
            "source.block",
            row,
            by,
            reason=reason,
            with_it=[one.pk for one in rows[1:]],
        )
    return row


def unblock(*, source: Source, by: Actor, reason: str) -> Source:
    """Return the source, which may write again; what is quarantined stays so.

    What was blocked together with it may write again too.
    """
    with isolation.transaction_for(by):
        row = Source.objects.select_for_update().get(pk=source.pk)
        together = (
            _below(row)
            .select_for_update()
            .filter(blocked_at=row.blocked_at, blocked_by=row.blocked_by)
        )
        rows = [row, *(together if row.blocked_at else ())]
        for one in rows:
            one.blocked_at, one.blocked_by = None, ""
            one.blocked_until, one.block_reason = None, ""
            one.save(update_fields=BLOCK)
        with_it = [one.pk for one in rows[1:]]
        _record("source.unblock", row, by, reason=reason, with_it=with_it)
    return row


def covered_by(source: Source) -> list[Source]:
    """Return the source and what a block covers with it."""
    return [source, *_below(source)]


def wider(source: Source) -> str:
    """Return the host whose block would cover this source, "" where there is none."""
    if source.kind == SourceKind.USER_INPUT:
        return ""
    host = host_of(source.key)
    return host if host != source.key else ""


def widened(source: Source) -> Source:
    """Return the row of the source's whole host, made if need be.

    Raises InvalidInput where the source is no path of a host.
    """
    host = wider(source)
    if not host:
        raise InvalidInput("This source is no path below a host.")
    row, _ = Source.objects.get_or_create(
        namespace=source.namespace, kind=source.kind, key=host, defaults={"name": host}
    )
    return row


def _below(source: Source) -> QuerySet[Source]:
    """Return the other sources that a block of this one covers, in a fixed order.

    A user's block covers nobody else.
    """
    machines = Source.objects.filter(namespace=source.namespace_id)
    machines = machines.exclude(kind=SourceKind.USER_INPUT).exclude(pk=source.pk)
    if source.kind == SourceKind.USER_INPUT or not source.key:
        return machines.none()
    covered = Q(key=source.key)
    if host := host_of(source.key):
        covered |= Q(key__startswith=f"{source.key}/")
        if source.key == host:
            covered |= Q(key__endswith=f".{source.key}")
            covered |= Q(key__contains=f".{source.key}/")
    return machines.filter(covered).order_by("pk")


def _record(action: str, source: Source, by: Actor, **details: Any) -> None:
    auditing.record(
        action,
        by=by,
        namespace=source.namespace.name,
        source=source.pk,
        kind=source.kind,
        **details,
    )
