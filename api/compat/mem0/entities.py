"""mem0's four names of whose a memory is, and ours.

A memory of a user belongs to that owner; agent, app and run are kept beside it. What
names no user belongs to the owner `agent:<id>`, `app:<id>` or `run:<id>`.
"""

from collections.abc import Mapping
from typing import Any

from memory_core.contracts.views import MemoryView

USER, AGENT, APP, RUN = "user_id", "agent_id", "app_id", "run_id"
ENTITIES = (USER, AGENT, APP, RUN)
"""The first one that is named says who the owner is."""
IN_METADATA = (AGENT, APP)
KINDS = {"user": USER, "agent": AGENT, "app": APP, "run": RUN}
PREFIXES = {AGENT: "agent:", APP: "app:", RUN: "run:"}


def owner_id_of(entity: str, value: str) -> str:
    """Return the owner of what is kept for one entity (`user_id`, ...)."""
    return f"{PREFIXES.get(entity, '')}{value}"


def owner_id_among(named: Mapping[str, str]) -> str:
    """Return the owner of what names these entities, empty if it names none."""
    found = ((entity, named[entity]) for entity in ENTITIES if named.get(entity))
    entity, value = next(found, (USER, ""))
    return owner_id_of(entity, value)


def entity_of(owner_id: str) -> tuple[str, str]:
    """Return the entity and its value that an owner stands for."""
    for entity, prefix in PREFIXES.items():
        if owner_id.startswith(prefix):
            return entity, owner_id.removeprefix(prefix)
    return USER, owner_id


def entities_of(view: MemoryView, owner_id: str) -> dict[str, str | None]:
    """Return the four names of a memory, None where it has none."""
    named: dict[str, str | None] = dict.fromkeys(ENTITIES)
    for entity in IN_METADATA:
        kept = view.metadata.get(entity)
        named[entity] = kept if isinstance(kept, str) else None
    named[RUN] = view.session_id or None
    entity, value = entity_of(owner_id)
    named[entity] = value
    return named


def with_entities(
    metadata: Mapping[str, Any], named: Mapping[str, str]
) -> dict[str, Any]:
    """Return metadata that also keep the agent and the app."""
    return {**metadata, **{n: named[n] for n in IN_METADATA if named.get(n)}}


def without_entities(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata as the caller sent them."""
    return {name: one for name, one in metadata.items() if name not in IN_METADATA}
