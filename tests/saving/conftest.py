"""A world for saves: a vector space, an agent that speaks for users, a tool's agent."""

import pytest
from django.utils import timezone

from memory_core.actions import access, changes, memories
from memory_core.contracts.memories import Draft
from memory_core.models import (
    AuditEntry,
    Memory,
    MemoryTerm,
    MemoryVector,
    Namespace,
    Source,
)
from memory_core.saving import lookups, vectors
from tests.factories import make_caller

OWNER = "user-42"


@pytest.fixture(autouse=True)
def _fresh_lookups():
    lookups.forget()
    vectors.forget()
    yield
    lookups.forget()
    vectors.forget()


@pytest.fixture
def space(db):
    """The configured embedder's vector space."""
    return vectors.ensure_model()


@pytest.fixture
def voice(space):
    """A caller who may say that a user said something, in the namespace `shop`."""
    return make_caller("voice", namespace="shop", shared={"shop": "rw"})


@pytest.fixture
def tool(space):
    """A caller in the same namespace who may not."""
    return make_caller(
        "tool",
        namespace="shop",
        shared={"shop": "rw"},
        scopes=("recall", "save", "delete"),
    )


@pytest.fixture
def say(voice):
    """Save a user's statement (or, with `by` and `source_kind`, anything else)."""

    def say(content, *, by=None, **fields):
        values = {
            "owner_id": OWNER,
            "namespace": "",
            "category": "preference",
            "source_kind": "user_input",
            "source_name": "",
        }
        draft = Draft(content=content, **(values | fields))
        return memories.remember(draft=draft, by=by or voice)

    return say


def trust(kind, name, namespace="shop"):
    """Make a source trusted, as a moderator does."""
    space, _ = Namespace.objects.get_or_create(
        name=namespace, defaults={"kind": "shared"}
    )
    Source.objects.update_or_create(
        namespace=space,
        kind=kind,
        key=name,
        defaults={"name": name, "trust": "trusted", "created_at": timezone.now()},
    )


def row(saved_or_id):
    """The stored memory."""
    return Memory.unscoped.get(pk=getattr(saved_or_id, "memory_id", saved_or_id))


@pytest.fixture
def scope_of():
    """What a caller may read of the owner."""
    return lambda by, owner=OWNER: access.read_scope(by, owner)


def refusals():
    """Return the audit entries of refused saves."""
    return AuditEntry.objects.filter(action="memory.save", outcome="refused")


@pytest.fixture
def correct(voice, scope_of):
    def correct(saved, by=voice, expected_version=None, **wanted):
        return changes.correct(
            by=by,
            scope=scope_of(by),
            memory_id=saved.memory_id,
            changes=wanted,
            expected_version=expected_version,
        )

    return correct


@pytest.fixture
def on(voice, scope_of):
    """Call a verb on a memory."""

    def on(verb, saved, by=voice, **fields):
        return verb(by=by, scope=scope_of(by), memory_id=saved.memory_id, **fields)

    return on


def terms_of(saved):
    """Return the terms under which a memory is found."""
    rows = MemoryTerm.objects.filter(memory_id=saved.memory_id)
    return set(rows.values_list("term", flat=True))


def vector_of(saved):
    """Return the vector row of a memory."""
    return MemoryVector.objects.get(memory_id=saved.memory_id)
