"""Vector spaces: made, measured, switched, dropped."""

from memory_core import auditing
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import EmbeddingState, VectorSpaceState
from memory_core.exceptions import InvalidInput
from memory_core.models import EmbeddingModel, MemoryVector
from memory_core.prepared import fetch, run
from memory_core.saving import vectors

DROPPED_AT_ONCE = 5_000

LACKING = """
SELECT count(*) FROM memory_core_memory m WHERE NOT EXISTS (
  SELECT FROM memory_core_memoryvector v WHERE v.memory_id = m.id AND v.model_id = %s)
"""
DROP = """
DELETE FROM memory_core_memoryvector WHERE (memory_id, model_id) IN (
  SELECT memory_id, model_id FROM memory_core_memoryvector
   WHERE model_id = %s LIMIT %s)
"""
ARRIVED = f"""
UPDATE memory_core_memory m SET embedding = '{EmbeddingState.READY.value}'
 WHERE m.embedding = '{EmbeddingState.QUEUED.value}' AND EXISTS (
  SELECT FROM memory_core_memoryvector v WHERE v.memory_id = m.id AND v.model_id = %s)
"""


def make(name: str) -> EmbeddingModel:
    """Return the space of an embedder, made if it is new, to be filled.

    Raises EmbedderUnavailable when the embedder cannot be loaded, InvalidInput when
    its space is the one that answers already.
    """
    embedder = vectors.embedder_of(name)
    space, _ = EmbeddingModel.objects.get_or_create(
        name=embedder.name,
        defaults={
            "dimensions": embedder.dimensions,
            "state": VectorSpaceState.BUILDING,
        },
    )
    if space.state == VectorSpaceState.ACTIVE:
        raise InvalidInput(
            "This model answers already.", field="model", why="model_answers"
        )
    return space


def lacking(model_id: int) -> int:
    """Return how many memories have no vector in a space."""
    count: int = fetch(LACKING, [model_id])[0][0]
    return count


def switch(model_id: int, *, by: Actor) -> None:
    """Let a space answer from now on, and keep the one that did; in a transaction.

    Other processes go on storing vectors of the old one for some seconds.
    """
    spaces = {one.pk: one for one in EmbeddingModel.objects.select_for_update()}
    new = spaces[model_id]
    before = [one for one in spaces.values() if one.state == VectorSpaceState.ACTIVE]
    for old in before:
        old.state = VectorSpaceState.KEPT
        old.save(update_fields=["state"])
    new.state = VectorSpaceState.ACTIVE
    new.save(update_fields=["state"])
    auditing.record(
        "embedding.switch",
        by=by,
        model=new.name,
        before=[old.name for old in before],
    )
    vectors.forget()


def note_arrivals(model_id: int) -> None:
    """Count memories as embedded that waited and have their vector in the space."""
    run(ARRIVED, [model_id])


def drop(space: EmbeddingModel, *, by: Actor) -> int:
    """Delete a space with its vectors, bit by bit; return how many there were.

    Raises InvalidInput for the one that answers.
    """
    if space.state == VectorSpaceState.ACTIVE:
        raise InvalidInput(
            "This model answers recalls.", field="model", why="model_in_use"
        )
    vectors_there = MemoryVector.objects.filter(model=space)
    count = vectors_there.count()
    while vectors_there.exists():
        run(DROP, [space.pk, DROPPED_AT_ONCE])
    space.delete()
    return count
