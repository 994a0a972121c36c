"""What is held about a person: the answer to a request for access.

It comes from the same registry as an erasure, so neither can know of a store that the
other does not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count

from memory_core import erasers
from memory_core.contracts.erasure import Subject
from memory_core.erasure.discovery import Recipient, located, recipients
from memory_core.models import Agent, Owner, RecallEvent

MEMORIES = "memories"


@dataclass(frozen=True, slots=True)
class AccessReport:
    """Memories, each with where it came from and to whom it went; the other stores.

    A memory has the keys that its eraser yields, and `served`: agents by name with the
    number of times. `stores` has the records of all other stores that hold any;
    `restricted_by` the requests that keep it all from being used.
    """

    at: datetime
    memories: tuple[Mapping[str, object], ...]
    stores: Mapping[str, tuple[Mapping[str, object], ...]]
    recipients: tuple[Recipient, ...]
    restricted_by: tuple[str, ...] = ()


def report(subject: Subject, *, now: datetime) -> AccessReport:
    """Return all that is held about the person, in memory: some MB for 20,000."""
    found = located(subject)
    stores = {
        eraser.store: tuple(eraser.records(found)) for eraser in erasers.registered()
    }
    memories = stores.pop(MEMORIES, ())
    served = dict(_served(found))
    return AccessReport(
        at=now,
        memories=tuple(
            {**one, "served": served.get(one["memory_id"], {})} for one in memories
        ),
        stores={name: rows for name, rows in stores.items() if rows},
        recipients=tuple(recipients(found)),
        restricted_by=_restricted_by(found),
    )


def _restricted_by(subject: Subject) -> tuple[str, ...]:
    rows = Owner.objects.filter(pk__in=subject.rows, restricted_by__isnull=False)
    refs = rows.values_list("restricted_by", flat=True)
    return tuple(sorted({ref for one in refs for ref in one or ()}))


def _served(subject: Subject) -> Iterator[tuple[Any, dict[str, int]]]:
    counts: dict[Any, dict[str, int]] = {}
    rows = RecallEvent.objects.filter(owner_id__in=subject.rows)
    agents = dict(Agent.objects.values_list("pk", "name"))
    for memory_id, agent, times in rows.values_list("memory_id", "agent_id").annotate(
        times=Count("pk")
    ):
        name = agents.get(agent, "")
        counts.setdefault(memory_id, {})[name] = times
    yield from counts.items()
