"""Checks before a write or deletion, in its transaction: blocks, holds, erasures."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Q

from memory_core.exceptions import (
    LegalHoldInForce,
    OwnerBeingErased,
    OwnerErased,
    OwnerRestricted,
    SourceBlocked,
)
from memory_core.keys import tombstones
from memory_core.models import LegalHold, Owner, Source, Tombstone
from memory_core.prepared import fetch
from memory_core.saving.provenance import Origin
from memory_core.saving.source_key import covering

FENCED, GONE, RESTRICTED = "fenced", "gone", "restricted"
SHUT = """
SELECT 0, '', '', CASE WHEN erased_at IS NULL THEN 'fenced' ELSE 'gone' END, true
  FROM memory_core_tombstone
 WHERE kind IN ('owner', 'email', 'phone')
   AND digest = ANY(%s::bytea[]) AND lifted_at IS NULL
UNION ALL
SELECT 0, '', '', 'restricted', true FROM memory_core_owner
 WHERE external_id = %s AND restricted_by IS NOT NULL
"""
# The rows of one source's name and of what covers it, and rows without a kind that say
# why nothing is written for the owner.
LOOK = f"""
WITH named AS (
  SELECT id, kind, trust, key,
         blocked_at IS NOT NULL AND (blocked_until IS NULL OR blocked_until > %s)
           AS is_blocked
    FROM memory_core_source WHERE namespace_id = %s AND key = ANY(%s::text[])
   ORDER BY id {{lock}})
SELECT id, kind, trust, key, is_blocked FROM named
UNION ALL
{SHUT}
"""
LOOK_AND_HOLD = LOOK.format(lock="FOR SHARE")
LOOK_ONLY = LOOK.format(lock="")
NEW_SOURCE = """
INSERT INTO memory_core_source
       (namespace_id, kind, name, key, trust, blocked_by, block_reason,
        refused_writes, created_at)
VALUES (%s, %s, %s, %s, 'normal', '', '', 0, %s)
ON CONFLICT (namespace_id, kind, key) DO NOTHING RETURNING id
"""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """The row of a source; `id` is 0 until its first memory is stored."""

    id: int = 0
    trust: str = "normal"


def owner_digests(owner_id: str) -> list[bytes]:
    """Return the digests under which a tombstone of this owner may stand."""
    return [one.digest for one in tombstones.standing_for(owner_id)]


def is_fenced(owner_id: str) -> bool:
    """Return whether a tombstone stands for the owner."""
    return bool(fenced([owner_id]))


def fenced(owner_ids: Iterable[str]) -> set[str]:
    """Return those of the owners for whom a tombstone stands."""
    owners = {digest: one for one in owner_ids for digest in owner_digests(one)}
    rows = Tombstone.objects.filter(digest__in=list(owners), lifted_at=None)
    return {owners[bytes(one)] for one in rows.values_list("digest", flat=True)}


def check_owner(owner_id: str) -> None:
    """Raise OwnerErased, OwnerBeingErased or OwnerRestricted if one of them is so."""
    _check([row[3] for row in fetch(SHUT, [owner_digests(owner_id), owner_id])])


def is_shut(owner_id: str) -> bool:
    """Return whether agents neither see nor change anything of the owner."""
    return bool(fetch(SHUT, [owner_digests(owner_id), owner_id]))


def look(namespace: int, origin: Origin, owner_id: str, *, now: datetime) -> SourceRow:
    """Return the source as it stands.

    Raises SourceBlocked, and OwnerBeingErased or OwnerErased behind a tombstone.
    """
    return _look(LOOK_ONLY, namespace, origin, owner_id, now=now)


def look_and_hold(
    namespace: int, origin: Origin, owner_id: str, *, now: datetime
) -> SourceRow:
    """Return what `look` does and lock the source's row: no block commits before we do.

    A source without a row has `id` 0: `make_source` makes one.
    """
    return _look(LOOK_AND_HOLD, namespace, origin, owner_id, now=now)


def make_source(
    namespace: int, origin: Origin, owner_id: str, *, now: datetime
) -> SourceRow:
    """Return the new row of a source, or the one that was made at the same time."""
    values: list[Any] = [namespace, origin.kind.value, origin.name[:200], origin.key]
    if made := fetch(NEW_SOURCE, [*values, now]):
        return SourceRow(made[0][0])
    return look_and_hold(namespace, origin, owner_id, now=now)


def count_refusal(namespace: int, origin: Origin, *, number: int = 1) -> list[int]:
    """Count refused writes on the blocked rows of that name and above it.

    Return the ids of these rows.
    """
    rows = Source.objects.filter(namespace=namespace, key__in=covering(origin.key))
    blocked = rows.filter(blocked_at__isnull=False)
    blocked.update(refused_writes=F("refused_writes") + number)
    return list(blocked.order_by("pk").values_list("pk", flat=True))


def check_holds(
    *, owner: int, namespace: int, memory_ids: list[object], now: datetime
) -> None:
    """Raise LegalHoldInForce when a hold stands over one of these memories.

    OwnerRestricted while the owner's data is restricted: it stays as it is.
    """
    if Owner.objects.filter(pk=owner).exclude(restricted_by=None).exists():
        raise OwnerRestricted()
    in_force = Q(released_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now))
    reach = Q(owner=owner) | Q(namespace=namespace) | Q(memory_id__in=memory_ids)
    if LegalHold.objects.filter(in_force & reach).exists():
        raise LegalHoldInForce()


def _look(
    statement: str, namespace: int, origin: Origin, owner_id: str, *, now: datetime
) -> SourceRow:
    """A machine's name is blocked for every machine kind: claiming another kind does
    not help, nor does another path below a blocked one. What users say is blocked by
    the user's own row only, since an agent may name its inferences after the user.
    """
    values = [now, namespace, covering(origin.key), owner_digests(owner_id), owner_id]
    rows = fetch(statement, values)
    _check([row[3] for row in rows if not row[1]])
    own = [row for row in rows if row[1] == origin.kind and row[3] == origin.key]
    relevant = own if origin.kind == "user_input" else rows
    if any(row[4] for row in relevant):
        raise SourceBlocked()
    return SourceRow(own[0][0], own[0][2]) if own else SourceRow()


def _check(states: list[str]) -> None:
    if GONE in states:
        raise OwnerErased()
    if FENCED in states:
        raise OwnerBeingErased()
    if RESTRICTED in states:
        raise OwnerRestricted()
