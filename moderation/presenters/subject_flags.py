"""What stands over the person of a memory: legal holds, open deletion requests."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from memory_core.keys import tombstones
from memory_core.models import LegalHold, Memory
from moderation.models import CLOSED, CaseIdentifier, ErasureCase


@dataclass(frozen=True, slots=True)
class Flags:
    """How many holds reach the memory, and the open requests of its person."""

    holds: int
    requests: Sequence[ErasureCase]


def flags_of(memory: Memory, *, now: datetime) -> Flags:
    """Return the flags of a memory."""
    in_force = Q(released_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now))
    reach = (
        Q(owner=memory.owner_id)
        | Q(namespace=memory.namespace_id)
        | Q(memory_id=memory.pk)
    )
    digests = tombstones.digests_of("owner", memory.owner.external_id)
    named = CaseIdentifier.objects.filter(
        kind="owner", digest__in=[one.digest for one in digests]
    )
    cases = ErasureCase.objects.filter(pk__in=named.values("case_id"))
    return Flags(
        holds=LegalHold.objects.filter(in_force & reach).count(),
        requests=list(cases.exclude(state__in=CLOSED).order_by("due_on")[:5]),
    )
