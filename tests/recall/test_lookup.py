"""Memories by id and in lists."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from memory_core.actions import changes, lookups
from memory_core.contracts.enums import Status
from memory_core.contracts.recall import Narrowing
from memory_core.exceptions import NotFound
from tests.factories import make_caller


def test_a_memory_shows_what_was_saved_and_its_live_score(world):
    memory = world.tell(
        "likes green tea",
        category="preference",
        tags=("drink",),
        entities=("tea",),
        metadata={"n": 1},
        session_id="s",
        position=3,
        external_id="crm-1",
        observed_at=timezone.now() - timedelta(days=60),
    )
    view = lookups.get(by=world.by, owner_id="ming", memory_id=memory)
    assert (view.content, view.category, view.status) == (
        "likes green tea",
        "preference",
        "active",
    )
    assert (view.tags, view.entities, view.metadata) == (("drink",), ("tea",), {"n": 1})
    assert (view.session_id, view.position, view.external_id) == ("s", 3, "crm-1")
    assert (view.source.kind, view.source.name) == ("user_input", "chat")
    assert view.score == pytest.approx(0.3, abs=1e-3)


@pytest.mark.parametrize("read", [lookups.get, lookups.history])
def test_foreign_and_missing_are_the_same(world, read):
    memory = world.tell("likes tea")
    attempts = [
        {"by": world.by, "owner_id": "ming", "memory_id": uuid4()},
        {"by": world.by, "owner_id": "hong", "memory_id": memory},
        {"by": make_caller(), "owner_id": "ming", "memory_id": memory},
    ]
    for attempt in attempts:
        with pytest.raises(NotFound):
            read(**attempt)


def test_history_shows_the_earlier_wording(world):
    memory = world.tell("likes tea")
    changes.correct(
        by=world.by, scope=_scope(world), memory_id=memory,
        changes={"content": "likes green tea"},
    )  # fmt: skip
    found = lookups.history(by=world.by, owner_id="ming", memory_id=memory)
    assert found.memory.content == "likes green tea"
    assert [version.content for version in found.versions] == ["likes tea"]


def _scope(world):
    from memory_core.actions import access

    return access.write_scope(world.by, "ming")


def test_pages_follow_each_other_without_gap_or_repetition_under_writes(world):
    told = [world.tell(f"event number {n}", category="event") for n in range(5)]
    first = lookups.page(by=world.by, owner_id="ming", limit=2)
    world.tell("something new", category="event")
    second = lookups.page(by=world.by, owner_id="ming", limit=2, after=first.next_after)
    third = lookups.page(by=world.by, owner_id="ming", limit=2, after=second.next_after)
    seen = [view.memory_id for page in (first, second, third) for view in page.memories]
    assert seen == told[::-1]
    assert third.next_after is None


def test_a_list_can_be_narrowed(world):
    world.tell("likes tea", category="preference")
    event = world.tell("went skiing", category="event", session_id="s")
    by_category = lookups.page(
        by=world.by, owner_id="ming", narrowing=Narrowing(categories=("event",))
    )
    by_session = lookups.page(by=world.by, owner_id="ming", session_id="s")
    by_status = lookups.page(by=world.by, owner_id="ming", statuses=(Status.ARCHIVED,))
    assert [view.memory_id for view in by_category.memories] == [event]
    assert [view.memory_id for view in by_session.memories] == [event]
    assert by_status.memories == ()


def test_a_strangers_list_is_empty(world):
    world.tell("likes tea")
    assert lookups.page(by=world.by, owner_id="hong").memories == ()
    assert lookups.page(by=make_caller(), owner_id="ming").memories == ()
