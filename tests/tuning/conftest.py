"""A namespace in which memories of several ages are recalled."""

from datetime import timedelta

import pytest
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory_core.actions import memories
from memory_core.contracts.memories import Draft
from memory_core.models import Category, Memory, MemoryUse, Namespace, RecallEvent
from memory_core.saving import lookups, vectors
from tests.factories import make_caller

OWNER = "user-42"


@pytest.fixture(autouse=True)
def _fresh():
    lookups.forget()
    vectors.forget()
    yield
    lookups.forget()
    vectors.forget()


@pytest.fixture
def voice(db):
    vectors.ensure_model()
    return make_caller("voice", namespace="shop", shared={"shop": "rw"})


@pytest.fixture
def shop(voice):
    return Namespace.objects.get(name="shop")


@pytest.fixture
def preference(voice):
    return Category.objects.get(name="preference")


@pytest.fixture
def say(voice):
    """Save a preference of a user and make it as old as wanted; return the row."""

    def say(content, *, days_ago=0.0, **fields):
        draft = Draft(
            owner_id=OWNER,
            content=content,
            namespace="",
            category="preference",
            source_kind="user_input",
            **fields,
        )
        saved = memories.remember(draft=draft, by=voice)
        rows = Memory.unscoped.filter(pk=saved.memory_id)
        rows.update(observed_at=timezone.now() - timedelta(days=days_ago))
        return rows.get()

    return say


@pytest.fixture
def served(voice):
    """Note that a memory was recalled some days ago, at a rank, with a score."""

    def served(memory, *, days_ago, rank=1, score=0.5):
        at = timezone.now() - timedelta(days=days_ago)
        RecallEvent.objects.create(
            recall_id=uuid7(),
            memory_id=memory.pk,
            owner_id=memory.owner_id,
            namespace_id=memory.namespace_id,
            agent_id=voice.agent_id,
            token_prefix="test",
            rank=rank,
            score=score,
            at=at,
        )
        use = MemoryUse.objects.get(memory=memory)
        use.access_count += 1
        use.last_accessed_at = max(at, use.last_accessed_at or at)
        use.save()

    return served
