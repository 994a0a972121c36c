"""How far the writes of sources, of an agent or of a token reach: looked at first."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet

from memory_core.actions.sources import covered_by
from memory_core.contracts.enums import Status
from memory_core.models import (
    Agent,
    LegalHold,
    Memory,
    RecallEvent,
    Source,
    Token,
)
from memory_core.saving.undoing import Writer

SAMPLE = 10
HOLDABLE = (Status.ACTIVE, Status.ARCHIVED)
"""What a quarantine takes out of recall; the rest is out of it anyway."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Whose writes are meant: of sources (row ids), of an agent, or of a token."""

    sources: tuple[int, ...] = ()
    agent: int = 0
    token_prefix: str = ""

    def wrote(self) -> Q:
        """Return the condition on memories that these writes added."""
        if self.agent:
            return Q(agent=self.agent)
        if self.token_prefix:
            return Q(token_prefix=self.token_prefix)
        return Q(source__in=self.sources)

    def writers(self) -> list[Writer]:
        """Return the same as writers whose changes can be taken back."""
        if self.agent:
            tokens = Token.objects.filter(agent=self.agent).order_by("pk")
            return [Writer(one) for one in tokens.values_list("prefix", flat=True)]
        if self.token_prefix:
            return [Writer(self.token_prefix)]
        return [Writer(source=one) for one in self.sources]

    def holdable(self) -> QuerySet[Memory]:
        """Return the memories that a quarantine holds."""
        return Memory.unscoped.filter(self.wrote(), status__in=HOLDABLE)

    def rejectable(self) -> QuerySet[Memory]:
        """Return the memories that a purge takes away."""
        return Memory.unscoped.filter(self.wrote()).exclude(status=Status.REJECTED)

    def query(self) -> dict[str, Any]:
        """Return the values as a job keeps them; `Reach.of` reads them."""
        return {
            "sources": list(self.sources),
            "agent": self.agent,
            "token_prefix": self.token_prefix,
        }

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Reach":
        """Return the reach that a job has kept."""
        sources = tuple(values["sources"])
        return cls(sources, values["agent"], values["token_prefix"])


@dataclass(frozen=True, slots=True)
class BlastRadius:
    """What a block would touch, before anything is done.

    `by_status` counts the memories written, `derived` and `merged` those made from
    them; `owners` are the people concerned, `agents_served` those who were given one.
    `held`, `taken_away` and `kept_by_law` are what a quarantine holds, a purge takes
    away, and what of that a legal hold keeps from deletion.
    """

    by_status: dict[str, int]
    derived: int
    merged: int
    owners: int
    agents_served: int
    last_day: int
    held: int
    taken_away: int
    kept_by_law: int
    sample: list[Memory]

    @property
    def memories(self) -> int:
        """How many memories were written."""
        return sum(self.by_status.values())


def reach_of(writer: Source | Agent | Token) -> Reach:
    """Return what a block of this covers."""
    if isinstance(writer, Agent):
        return Reach(agent=writer.pk)
    if isinstance(writer, Token):
        return Reach(token_prefix=writer.prefix)
    return Reach(sources=tuple(one.pk for one in covered_by(writer)))


def blast_radius(reach: Reach, *, now: datetime) -> BlastRadius:
    """Return what a block would touch; changes nothing."""
    written = Memory.unscoped.filter(reach.wrote())
    counts = dict(written.values_list("status").annotate(number=Count("pk")))
    served = RecallEvent.objects.filter(memory_id__in=written.values("pk"))
    return BlastRadius(
        by_status={Status(one).word: number for one, number in counts.items()},
        derived=Memory.unscoped.made_of(written).count(),
        merged=written.filter(merged_into__isnull=False).count(),
        owners=written.values("owner_id").distinct().count(),
        agents_served=served.values("agent_id").distinct().count(),
        last_day=written.filter(created_at__gte=now - timedelta(days=1)).count(),
        held=sum(counts.get(one, 0) for one in HOLDABLE),
        taken_away=sum(counts.values()) - counts.get(Status.REJECTED, 0),
        kept_by_law=_kept_by_law(reach.rejectable(), now=now).count(),
        sample=list(written.order_by("-pk")[:SAMPLE]),
    )


def _kept_by_law(rows: QuerySet[Memory], *, now: datetime) -> QuerySet[Memory]:
    in_force = LegalHold.objects.filter(released_at=None).filter(
        Q(expires_at=None) | Q(expires_at__gt=now)
    )
    return rows.filter(
        Q(owner__in=in_force.exclude(owner=None).values("owner"))
        | Q(namespace__in=in_force.exclude(namespace=None).values("namespace"))
        | Q(pk__in=in_force.exclude(memory_id=None).values("memory_id"))
    )
