"""The JSON shapes that the tools take and give."""

from __future__ import annotations

from typing_extensions import TypedDict


class SaveResult(TypedDict):
    """What became of a save; `pending` waits for a person's review."""

    memory_id: str | None
    event: str
    status: str


class Recalled(TypedDict):
    """One memory of a recall."""

    memory_id: str | None
    content: str
    category: str
    source: str
    trust: str
    score: float
    said_at: str | None


class Entity(TypedDict):
    """One thing and what is known about it."""

    name: str
    entityType: str
    observations: list[str]


# "from" is a keyword, so this one cannot be a class.
Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})


class KnowledgeGraph(TypedDict):
    """Entities, and the relations between them."""

    entities: list[Entity]
    relations: list[Relation]


class NewObservations(TypedDict):
    """What to add to an entity."""

    entityName: str
    contents: list[str]


class AddedObservations(TypedDict):
    """What was added to an entity."""

    entityName: str
    addedObservations: list[str]


class GoneObservations(TypedDict):
    """What to remove from an entity."""

    entityName: str
    observations: list[str]
