"""What an erasure would do, before anybody approves it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max

from memory_core import erasers
from memory_core.contracts.erasure import (
    Holds,
    Mention,
    Preview,
    StoreCount,
    Subject,
    Treatment,
)
from memory_core.erasure import holds, mentions
from memory_core.models import Agent, Owner, RecallEvent


@dataclass(frozen=True, slots=True)
class Recipient:
    """An agent to which the person's memories were given: how many, when last."""

    agent: str
    memories: int
    served: int
    last_at: datetime


def located(subject: Subject) -> Subject:
    """Return the subject with the row ids of its owners; unknown ones have none."""
    rows = Owner.objects.filter(external_id__in=subject.owner_ids).order_by("pk")
    return replace(subject, rows=tuple(rows.values_list("pk", flat=True)))


def preview(
    subject: Subject,
    *,
    decided: Mapping[UUID, Treatment] | None = None,
    now: datetime,
) -> Preview:
    """Return the counts of all stores, the mentions and the holds, with a digest.

    Two previews of the same state have the same digest. Raises valkey.Unavailable.
    """
    found = replace(located(subject), mentions=decided or subject.mentions)
    held = holds.in_force(now=now)
    counts = tuple(one.count(found, held) for one in erasers.registered())
    named = mentions.of(found)
    digest = _digest(counts, named, held)
    return Preview(counts, named, held, digest, now)


def recipients(subject: Subject) -> list[Recipient]:
    """Return the agents that were given memories of the person, by their names."""
    rows = (
        RecallEvent.objects.filter(owner_id__in=located(subject).rows)
        .values("agent_id")
        .annotate(
            memories=Count("memory_id", distinct=True),
            served=Count("pk"),
            last_at=Max("at"),
        )
    )
    found = {row["agent_id"]: row for row in rows}
    agents = Agent.objects.filter(pk__in=found).order_by("name")
    return [
        Recipient(
            agent.name,
            found[agent.pk]["memories"],
            found[agent.pk]["served"],
            found[agent.pk]["last_at"],
        )
        for agent in agents
    ]


def _digest(counts: Sequence[StoreCount], named: Sequence[Mention], held: Holds) -> str:
    plain = {
        "counts": [asdict(one) for one in counts],
        "mentions": [str(one.memory_id) for one in named],
        "holds": held.ids,
    }
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
