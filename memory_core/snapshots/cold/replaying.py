"""From the files to an empty database, or to one that lacks some of them.

Memories come back as they were, status and review included, and are not screened
again: each was judged when it was written, some by people. Who was erased stays so.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import DateTimeField

from memory_core import digests
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.enums import NamespaceKind, SourceKind, Status
from memory_core.embedding import EmbedderUnavailable
from memory_core.exceptions import OwnerBeingErased, OwnerErased
from memory_core.keys.data import KeyDestroyed, NotSealed
from memory_core.models import Agent, Memory, MemoryVersion, Namespace, Owner, Source
from memory_core.saving import gates, loading, lookups, vectors
from memory_core.saving.loading import Load
from memory_core.saving.source_key import fold
from memory_core.saving.storage import Placed, Strength
from memory_core.saving.texts import key_of
from memory_core.snapshots.cold import folder, surroundings
from memory_core.snapshots.cold.entries import (
    Position,
    Values,
    opened,
    owner_of,
    places,
    read_at,
)
from memory_core.snapshots.drafts import Line, versions_of
from memory_core.snapshots.lines import BadLine, Record, check

AT_ONCE = 500
MOMENTS = {
    field.column
    for field in Memory._meta.concrete_fields
    if isinstance(field, DateTimeField)
}
COLUMNS = {str(field.column) for field in Memory._meta.concrete_fields}
Places = dict[UUID, Position]


@dataclass(slots=True)
class Replayed:
    """Counts of a replay: files read, memories added, known, erased, unreadable."""

    files: int = 0
    added: int = 0
    known: int = 0
    erased: int = 0
    unreadable: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Found:
    """A memory of a file: its id, its state and its checked line."""

    memory_id: UUID
    state: Values
    record: Record


def replay(where: Path, *, now: datetime) -> Replayed:
    """Bring back all that a cold copy has and the database has not.

    Each owner comes back in one transaction, so that a replay that was cut off can
    begin again.
    """
    done = Replayed()
    surroundings.bring_back(where)
    lookups.forget()
    for path in folder.files(where):
        done.files += 1
        with transaction.atomic():
            _bring_back(path, done, now=now)
    return done


def _bring_back(path: Path, done: Replayed, *, now: datetime) -> None:
    with path.open("rb") as file:
        present = places(file)
        try:
            owner_id = owner_of(file)
            gates.check_owner(owner_id)
        except (OwnerErased, OwnerBeingErased, KeyDestroyed):
            done.erased += len(present)
            return
        except (BadLine, NotSealed):
            done.unreadable += len(present)
            return
        found = _found(file, owner_id, present, done)
        while part := list(islice(found, AT_ONCE)):
            _place(part, owner_id, present, done, now=now)


def _found(
    file: IO[bytes], owner_id: str, present: Places, done: Replayed
) -> Iterator[_Found]:
    for memory_id, place in sorted(present.items(), key=lambda one: one[1]):
        try:
            state, record = opened(owner_id, read_at(file, place))
            yield _Found(memory_id, state, check(record))
        except KeyDestroyed:
            done.erased += 1
        except (BadLine, NotSealed):
            done.unreadable += 1


def _place(
    part: Sequence[_Found],
    owner_id: str,
    in_file: Places,
    done: Replayed,
    *,
    now: datetime,
) -> None:
    ids = [one.memory_id for one in part]
    known = set(Memory.unscoped.filter(pk__in=ids).values_list("pk", flat=True))
    new = [one for one in part if one.memory_id not in known]
    done.known += len(known)
    if not new:
        return
    owner, _ = Owner.objects.get_or_create(external_id=owner_id)
    world = _RelatedRows(owner=owner.pk, now=now)
    memories = [world.memory(one, in_file) for one in new]
    placed = _embedded([memory.content for memory in memories])
    loads = [
        Load(memory, _strength(one.record), place)
        for one, memory, place in zip(new, memories, placed, strict=True)
    ]
    done.added += _insert(loads)
    MemoryVersion.objects.bulk_create(
        version
        for one, memory in zip(new, memories, strict=True)
        for version in versions_of(
            Line(0, b"", one.record), memory, by=SYSTEM.name, token_prefix=""
        )
    )


def _insert(loads: Sequence[Load]) -> int:
    """Store all at once, or one by one if a name is taken that only one may have."""
    try:
        with transaction.atomic():
            loading.insert_many(loads)
    except IntegrityError:
        for load in loads:
            try:
                with transaction.atomic():
                    loading.insert_many([load])
            except IntegrityError:  # the copy was cut between two writes
                load.memory.external_id = ""
                loading.insert_many([load])
    return len(loads)


class _RelatedRows:
    """Row ids of what memories of one owner refer to, made where they lack."""

    def __init__(self, *, owner: int, now: datetime) -> None:
        self._owner = owner
        self._now = now
        self._agents = dict(Agent.objects.values_list("name", "pk"))
        self._spaces: dict[str, int] = dict(Namespace.objects.values_list("name", "pk"))
        self._sources: dict[tuple[int, str, str], int] = defaultdict(int)

    def memory(self, found: _Found, in_file: Places) -> Memory:
        """Return the unsaved memory of an entry."""
        record, state = found.record, found.state
        space = self._space(record.get("namespace", ""))
        status = Status.of(record.get("status", "active"))
        kept = {name: _kept(name, state[name]) for name in COLUMNS & state.keys()}
        kept |= {"superseded_by_id": _within(state.get("superseded_by_id"), in_file)}
        assumed = record["source"]["name"] if state.get("subject_is_assumed") else ""
        return Memory(
            id=found.memory_id,
            namespace_id=space,
            owner_id=self._owner,
            source_id=self._source(space, record["source"]),
            agent_id=self._agents.get(state.get("agent") or ""),
            category_id=lookups.category(record["type"]).id,
            tier=record.get("tier", "long"),
            status=status,
            content=record["content"],
            content_digest=digests.of_content(record["content"]),
            text_key=key_of(record["content"]),
            subject=record.get("subject") or assumed,
            entities=list(record.get("entities", ())),
            tags=list(record.get("tags", ())),
            metadata=record.get("metadata", {}),
            importance=record.get("importance", 0.0),
            confidence=record.get("confidence", 0.0),
            session_id=record.get("session_id", ""),
            position=record.get("position"),
            observed_at=record["timestamp"],
            occurred_at=record.get("occurred_at"),
            expire_at=record.get("expire_at"),
            external_id=record.get("external_id", ""),
            related=[UUID(one) for one in record.get("related", ())],
            merged_into_id=_within(record.get("merged_into"), in_file),
            created_at=record.get("created_at", self._now),
            **kept,
        )

    def _space(self, name: str) -> int:
        if name not in self._spaces:
            made = Namespace.objects.create(name=name, kind=NamespaceKind.SHARED)
            self._spaces[name] = made.pk
        return self._spaces[name]

    def _source(self, space: int, source: dict[str, str]) -> int:
        name = source.get("name", "")
        is_user = source["kind"] == SourceKind.USER_INPUT
        key = (space, source["kind"], fold(name, of_user=is_user))
        if not self._sources[key]:
            row, _ = Source.objects.get_or_create(
                namespace_id=space,
                kind=source["kind"],
                key=key[2],
                defaults={"name": name},
            )
            self._sources[key] = row.pk
        return self._sources[key]


def _embedded(texts: Sequence[str]) -> list[Placed | None]:
    """Return the vectors in the active space; without its embedder the queue will."""
    model = vectors.active_model()
    try:
        made = vectors.embed(model, texts)
    except EmbedderUnavailable:
        return [None] * len(texts)
    return [Placed(vector, model.id) for vector in made]


def _strength(record: Record) -> Strength:
    return Strength(
        record.get("base_score", 0.0),
        record.get("last_accessed_at"),
        record.get("access_count", 0),
    )


def _within(name: str | None, in_file: Places) -> UUID | None:
    """Return the id of another memory if that one comes back too."""
    identity = UUID(name) if name else None
    return identity if identity in in_file else None


def _kept(name: str, value: Any) -> Any:
    """Return the value of a column as the model has it."""
    return datetime.fromisoformat(value) if value and name in MOMENTS else value
