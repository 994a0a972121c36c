"""A knowledge graph of entities, observations and relations kept as memories.

Every observation, every entity and every relation is a memory of its own, so that it
can be found, corrected and forgotten alone. The words are those of the memory server
of the Model Context Protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mneme.checks import MAX_SHORT
from mneme.items import MemoryItem, Source
from mneme.keeper import once_key
from mneme.keyed import CATEGORY, records, save_record
from mneme.protocol import Filter, MemoryStore

MARK = "graph"  # of our entry in the metadata, and the tag
MOST_FOUND = 50  # memories that one search looks at
KINDS = {
    "entity": ("name", "entityType"),
    "observation": ("name", "text"),
    "relation": ("from", "to", "relationType"),
}


Entry = dict[str, str]
# {"name", "entityType", "observations": [text, ...]}
Entity = dict[str, Any]
# {"from": name, "to": name, "relationType"}
Relation = dict[str, str]
# {"entities": [Entity, ...], "relations": [Relation, ...]}
KnowledgeGraph = dict[str, Any]


def entity_memory(owner_id: str, name: str, kind: str, source: Source) -> MemoryItem:
    """Return the memory that says that an entity exists."""
    content = f"{name} ({kind})" if kind else name
    entry = {"kind": "entity", "name": name, "entityType": kind}
    return _memory(owner_id, content, (name,), entry, source, key=("entity", name))


def observation_memory(
    owner_id: str, name: str, text: str, source: Source
) -> MemoryItem:
    """Return the memory of one observation about an entity."""
    entry = {"kind": "observation", "name": name, "text": text}
    key = ("observation", name, text)
    return _memory(owner_id, f"{name}: {text}", (name,), entry, source, key=key)


def relation_memory(
    owner_id: str, relation: Mapping[str, str], source: Source
) -> MemoryItem:
    """Return the memory of one relation."""
    one, other, kind = relation["from"], relation["to"], relation["relationType"]
    entry = {"kind": "relation", "from": one, "to": other, "relationType": kind}
    key = ("relation", one, kind, other)
    content = f"{one} {kind.replace('_', ' ')} {other}"
    return _memory(owner_id, content, (one, other), entry, source, key=key)


class GraphStore:
    """The graph of one owner in a store."""

    def __init__(self, store: MemoryStore, owner_id: str, source: Source) -> None:
        self._store = store
        self._owner_id = owner_id
        self._source = source

    def create_entities(self, entities: Sequence[Entity]) -> list[Entity]:
        """Add entities with their observations; return those that were not there."""
        known = {entity["name"] for entity in self.read()["entities"]}
        created = []
        for entity in entities:
            name = entity["name"]
            if name in known:
                continue
            known.add(name)
            kind = entity["entityType"]
            self._save(entity_memory(self._owner_id, name, kind, self._source))
            self._observe(name, entity["observations"])
            created.append(entity)
        return created

    def create_relations(self, relations: Sequence[Relation]) -> list[Relation]:
        """Add relations; return those that were not there."""
        known = self.read()["relations"]
        created = []
        for relation in relations:
            if relation not in known:
                self._save(relation_memory(self._owner_id, relation, self._source))
                known.append(relation)
                created.append(relation)
        return created

    def add_observations(self, name: str, contents: Sequence[str]) -> list[str]:
        """Add observations to an entity that exists; return the new ones."""
        entities = {entity["name"]: entity for entity in self.read()["entities"]}
        if name not in entities:
            raise LookupError(f"there is no entity {name}")
        known = entities[name]["observations"]
        new = [text for text in dict.fromkeys(contents) if text not in known]
        self._observe(name, new)
        return new

    def delete_entities(self, names: Iterable[str]) -> None:
        """Forget entities, their observations and their relations."""
        gone = set(names)
        self._forget(lambda entry: bool(gone & _named(entry)))

    def delete_observations(self, name: str, texts: Iterable[str]) -> None:
        """Forget observations about an entity."""
        gone = {("observation", name, text) for text in texts}
        self._forget(lambda e: (e["kind"], e.get("name"), e.get("text")) in gone)

    def delete_relations(self, relations: Iterable[Relation]) -> None:
        """Forget relations."""
        gone = [{"kind": "relation", **relation} for relation in relations]
        self._forget(lambda entry: entry in gone)

    def read(self) -> KnowledgeGraph:
        """Return the whole graph."""
        return _graph(entry for _, entry in self._entries())

    def search(self, query: str) -> KnowledgeGraph:
        """Return the entities that the query finds, and the relations between them."""
        found = self._store.search(
            query,
            owner_id=self._owner_id,
            limit=MOST_FOUND,
            filter=Filter(tags=(MARK,)),
        )
        entries = [entry for one in found if (entry := _entry(one.item))]
        names = {name for entry in entries for name in _named(entry)}
        return self.open(names)

    def open(self, names: Iterable[str]) -> KnowledgeGraph:
        """Return these entities, and the relations between them."""
        wanted, whole = set(names), self.read()
        return {
            "entities": [e for e in whole["entities"] if e["name"] in wanted],
            "relations": [
                r for r in whole["relations"] if {r["from"], r["to"]} <= wanted
            ],
        }

    def _observe(self, name: str, contents: Iterable[str]) -> None:
        for text in contents:
            item = observation_memory(self._owner_id, name, text, self._source)
            self._save(item)

    def _save(self, item: MemoryItem) -> None:
        save_record(self._store, item, item.external_id)

    def _forget(self, is_gone: Any) -> None:
        for item, entry in self._entries():
            if item.memory_id and is_gone(entry):
                self._store.forget(item.memory_id, owner_id=self._owner_id)

    def _entries(self) -> list[tuple[MemoryItem, Entry]]:
        found = records(self._store, self._owner_id, Filter(tags=(MARK,)))
        items = sorted(found, key=_made_at)
        return [(item, entry) for item in items if (entry := _entry(item))]


def _memory(
    owner_id: str,
    content: str,
    names: tuple[str, ...],
    entry: Mapping[str, str],
    source: Source,
    *,
    key: Sequence[str],
) -> MemoryItem:
    return MemoryItem(
        owner_id=owner_id,
        content=content,
        type=CATEGORY,
        source=source,
        subject=names[0][:MAX_SHORT],
        entities=names,
        tags=(MARK,),
        external_id=f"{MARK}:{once_key(*key)[:40]}",
        metadata={MARK: entry},
    )


def _made_at(item: MemoryItem) -> str:
    moment = item.created_at or item.timestamp
    return moment.isoformat() if moment else ""


def _entry(item: MemoryItem) -> Entry | None:
    """Return our entry; None for a memory that somebody else gave the tag."""
    entry = item.metadata.get(MARK)
    if not isinstance(entry, Mapping):
        return None
    fields = KINDS.get(str(entry.get("kind")), ())
    is_ours = fields and all(isinstance(entry.get(name), str) for name in fields)
    return dict(entry) if is_ours else None


def _named(entry: Mapping[str, str]) -> set[str]:
    """Return the names of the entities that an entry is about."""
    return {entry[key] for key in ("name", "from", "to") if key in entry}


def _graph(entries: Iterable[Mapping[str, str]]) -> KnowledgeGraph:
    entities: dict[str, Entity] = {}
    observations: list[Mapping[str, str]] = []
    relations: list[Relation] = []
    for entry in entries:
        if entry["kind"] == "entity":
            name, kind = entry["name"], entry["entityType"]
            entities[name] = {"name": name, "entityType": kind, "observations": []}
        elif entry["kind"] == "observation":
            observations.append(entry)
        else:
            one, other, kind = entry["from"], entry["to"], entry["relationType"]
            relations.append({"from": one, "to": other, "relationType": kind})
    for entry in observations:
        if entry["name"] in entities:
            entities[entry["name"]]["observations"].append(entry["text"])
    return {"entities": list(entities.values()), "relations": relations}
