"""After an import: a sample of what came in is looked for as a recall would."""

from dataclasses import dataclass, field
from random import Random
from uuid import UUID

from memory_core import isolation
from memory_core.contracts.callers import Actor, Scope
from memory_core.prepared import fetch
from memory_core.recall.nearest import nearest
from memory_core.saving.vectors import from_bytes

SIZE = 20
NEAR = 50

OWN = """
SELECT v.model_id, halfvec_send(v.vector)
  FROM memory_core_memoryvector v JOIN memory_core_embeddingmodel e ON e.id = v.model_id
 WHERE v.memory_id = %s AND e.state = 'active'
"""
WORDS = """
SELECT EXISTS (SELECT FROM memory_core_memoryterm t
  WHERE t.memory_id = %s AND t.owner_id = %s)
"""


@dataclass(slots=True)
class Sample:
    """An even sample of active memories, however many are offered."""

    kept: list[tuple[UUID, Scope]] = field(default_factory=list)
    offered: int = 0
    random: Random = field(default_factory=lambda: Random(0))  # noqa: S311 - no secret

    def offer(self, memory_id: UUID, scope: Scope) -> None:
        """Take a memory into the sample, or not."""
        self.offered += 1
        if len(self.kept) < SIZE:
            self.kept.append((memory_id, scope))
        elif (place := self.random.randrange(self.offered)) < SIZE:
            self.kept[place] = (memory_id, scope)

    def check(self, by: Actor) -> dict[str, int]:
        """Return how many were looked for, and found by vector and by words."""
        counts = {"sampled": len(self.kept), "by_vector": 0, "by_words": 0}
        for memory_id, scope in self.kept:
            with isolation.transaction_for(by, scope):
                counts["by_vector"] += _is_near(memory_id, scope)
                counts["by_words"] += fetch(WORDS, [memory_id, scope.owner])[0][0]
        return counts


def _is_near(memory_id: UUID, scope: Scope) -> bool:
    own = fetch(OWN, [memory_id])
    if not own:
        return False
    model_id, sent = own[0]
    found = nearest(scope, from_bytes(bytes(sent)), model_id, limit=NEAR)
    return any(pk == memory_id for pk, _ in found)
