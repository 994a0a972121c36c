"""What the same person's memories say that is nearest to one of them."""

from typing import Any
from uuid import UUID

from django.db import connection

from memory_core.contracts.enums import Status
from memory_core.models import Memory

SHOWN = 5

NEAREST = """
SELECT near.memory_id
  FROM memory_core_memoryvector own
  JOIN memory_core_embeddingmodel space ON space.id = own.model_id
  JOIN memory_core_memoryvector near
    ON near.owner_id = own.owner_id AND near.model_id = own.model_id
   AND near.namespace_id = own.namespace_id AND near.memory_id <> own.memory_id
   AND near.status = ANY(%(statuses)s)
 WHERE own.memory_id = %(id)s AND own.owner_id = %(owner)s AND space.state = 'active'
 ORDER BY near.vector <=> own.vector LIMIT %(shown)s
"""


def neighbours_of(memory: Memory) -> list[Memory]:
    """Return the nearest that are recalled or wait, the nearest first.

    None for a memory that has no vector yet.
    """
    values: dict[str, Any] = {
        "id": memory.pk,
        "owner": memory.owner_id,
        "statuses": [Status.ACTIVE.value, Status.PENDING.value],
        "shown": SHOWN,
    }
    with connection.cursor() as cursor:
        cursor.execute(NEAREST, values)
        found: list[UUID] = [row[0] for row in cursor.fetchall()]
    rows = Memory.unscoped.select_related("source").in_bulk(found)
    return [rows[pk] for pk in found if pk in rows]
