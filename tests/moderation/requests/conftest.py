"""A person of whom something is known, and two people of compliance."""

from collections.abc import Callable

import pytest
from django.test import Client

from memory_core.actions import memories, recall
from memory_core.contracts.callers import Caller
from memory_core.contracts.memories import Draft
from memory_core.contracts.recall import RecallQuery
from memory_core.models import Memory
from memory_core.recall import flushing
from memory_core.saving import lookups, vectors
from tests.factories import make_caller
from tests.moderation.requests.desk import NAME, PERSON


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    settings.LEDGER_DIR = tmp_path / "ledger"
    settings.COLD_DIR = tmp_path / "cold"
    settings.CONTROLLER = "Example Ltd"
    for forget in (lookups.forget, vectors.forget):
        forget()


@pytest.fixture
def caller() -> Caller:
    vectors.ensure_model()
    return make_caller("helper", shared={"shop": "rw"})


@pytest.fixture
def say(caller: Caller) -> Callable[[str, str], Memory]:
    """Save what a user said."""

    def say(owner: str, content: str) -> Memory:
        draft = Draft(
            owner_id=owner,
            content=content,
            category="fact",
            source_kind="user_input",
            namespace="shop",
        )
        saved = memories.remember(draft=draft, by=caller)
        return Memory.unscoped.get(pk=saved.memory_id)

    return say


@pytest.fixture
def remembered(caller: Caller, say: Callable[[str, str], Memory]) -> Memory:
    """Two memories of the person, one of which an agent recalled, and one mention."""
    first = say(PERSON, "I like green tea in the morning")
    say(PERSON, "I am allergic to peanuts")
    say("neighbour", f"My neighbour {NAME} keeps a spare key for us")
    recall.recall(by=caller, query=RecallQuery(owner_id=PERSON, query="tea"))
    flushing.flush()
    return first


@pytest.fixture
def office(signed_in) -> tuple[Client, Client]:
    """Two people of compliance at their browsers."""
    return signed_in("compliance", "lin"), signed_in("compliance", "amara")
