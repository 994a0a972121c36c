"""A world to recall from: one agent, its owners, the bundled embedder."""

from datetime import datetime
from uuid import UUID

import pytest

from memory_core import valkey
from memory_core.actions import access, memories
from memory_core.actions.recall import recall
from memory_core.contracts.callers import Caller
from memory_core.contracts.memories import Draft
from memory_core.contracts.recall import RecallQuery, RecallResult
from memory_core.models import Memory
from memory_core.recall import flushing, indexes, touches
from memory_core.saving import lookups, vectors
from tests.factories import make_caller


class World:
    """An agent that saves and recalls for owners by their names."""

    def __init__(self, by: Caller) -> None:
        self.by = by

    def tell(self, content: str, *, owner: str = "ming", **draft: object) -> UUID:
        """Save what a user said and return its id."""
        by = draft.pop("by", self.by)
        sent = {"source_kind": "user_input", "source_name": "chat"}
        sent |= {"namespace": by.home} | draft
        saved = memories.remember(
            draft=Draft(owner_id=owner, content=content, **sent), by=by
        )
        return saved.memory_id

    def ask(self, query: str, *, owner: str = "ming", **options: object):
        """Recall and return the whole result."""
        by = options.pop("by", self.by)
        return recall(by=by, query=RecallQuery(owner_id=owner, query=query, **options))

    def texts(self, query: str, **options: object) -> list[str]:
        """Recall and return the contents, best first."""
        return contents(self.ask(query, **options))

    def use_of(self, memory_id: UUID):
        return Memory.unscoped.get(pk=memory_id).use

    def set_use(self, memory_id: UUID, **values: object) -> None:
        use = self.use_of(memory_id)
        for name, value in values.items():
            setattr(use, name, value)
        use.save()


def contents(result: RecallResult) -> list[str]:
    return [hit.memory.content for hit in result.hits]


def at(text: str) -> datetime:
    """Return an ISO time with its offset."""
    return datetime.fromisoformat(text)


@pytest.fixture
def world(db) -> World:
    return _world()


@pytest.fixture
def committed_world(transactional_db) -> World:
    return _world()


def _world() -> World:
    lookups.forget()
    vectors.ensure_model()
    indexes.forget_known()
    access.forget_cached()
    world = World(make_caller())
    valkey.client().flushdb()  # without the note that its token was used
    touches._last_use.clear()
    return world


@pytest.fixture(autouse=True)
def _empty_valkey():
    """No notes and no query vectors of another test."""
    client = valkey.client()
    client.flushdb()
    yield
    client.flushdb()
    vectors.forget()
    lookups.forget()


@pytest.fixture
def flush():
    return flushing.flush
