"""Who may write at all: agents and tokens whose writes people have blocked."""

from datetime import datetime

from django.db.models import F, Q, QuerySet

from memory_core.contracts.callers import Actor, Caller
from memory_core.exceptions import SourceBlocked
from memory_core.models import WriterBlock
from memory_core.prepared import fetch

STANDING = """
SELECT 1 FROM memory_core_writerblock
 WHERE lifted_at IS NULL AND (agent_id = %s OR token_id = %s)
   AND (until IS NULL OR until > %s) LIMIT 1
"""


def check(by: Actor, *, now: datetime) -> None:
    """Raise SourceBlocked while a block of the caller's agent or token stands."""
    if not isinstance(by, Caller):
        return
    if fetch(STANDING, [by.agent_id, by.token_id, now]):
        raise SourceBlocked("What this agent writes is blocked; nothing is stored.")


def count_refusal(by: Actor, *, number: int = 1, now: datetime) -> list[int]:
    """Count refused writes on the caller's blocks that stand; return their ids."""
    if not isinstance(by, Caller):
        return []
    rows = standing(now=now).filter(Q(agent=by.agent_id) | Q(token=by.token_id))
    rows.update(refused_writes=F("refused_writes") + number)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def standing(*, now: datetime) -> QuerySet[WriterBlock]:
    """Return the blocks that stand."""
    rows = WriterBlock.objects.filter(lifted_at=None)
    return rows.filter(Q(until=None) | Q(until__gt=now))
