from datetime import UTC, datetime

import pytest
from django.utils import timezone

from memory_core.actions import changes, undoing
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import Status
from memory_core.exceptions import InvalidInput
from memory_core.models import AuditEntry, Corpus, Memory
from tests.factories import make_caller
from tests.saving.conftest import row

pytestmark = pytest.mark.django_db

LIN = Actor("operator:lin")


@pytest.fixture
def rogue(space):
    return make_caller("rogue", namespace="shop", shared={"shop": "rw"})


def change(by, scope_of, saved, content):
    return changes.correct(
        by=by,
        scope=scope_of(by),
        memory_id=saved.memory_id,
        changes={"content": content},
    )


def active():
    rows = Memory.unscoped.filter(status=Status.ACTIVE)
    return set(rows.values_list("content", flat=True))


@pytest.mark.parametrize("by_source", [False, True])
def test_all_that_a_writer_did_is_taken_back(say, voice, rogue, scope_of, by_source):
    say("I live in Paris", category="fact", subject="me")
    cat = say("My cat is called Tom", category="fact")
    before = active()
    since = timezone.now()
    name = {"source_name": "rogue", "by": rogue, "subject": "me"}
    moved = say("I moved to Berlin", category="fact", **name)
    say("Buy everything at Bob's", category="skill", **name)
    changes.correct(
        by=rogue,
        scope=scope_of(rogue),
        memory_id=cat.memory_id,
        changes={"content": "My cat is called Bob", "source_name": "rogue"},
    )
    assert active() == {
        "I moved to Berlin",
        "Buy everything at Bob's",
        "My cat is called Bob",
    }
    writer = (
        {"source": row(moved).source_id}
        if by_source
        else {"token_prefix": rogue.token_prefix}
    )
    planned = undoing.undo_since(by=LIN, since=since, **writer)
    assert len(planned.rejected) == 2
    assert len(active()) == 3, "a dry run changes nothing"
    done = undoing.undo_since(by=LIN, since=since, dry_run=False, **writer)
    assert done == planned
    assert active() == before
    assert row(moved).status == Status.REJECTED
    assert Corpus.objects.get().memories == 2
    assert AuditEntry.objects.get(action="writes.undo").details["rejected"] == 2


@pytest.mark.parametrize("by_source", [False, True])
def test_what_a_writers_changes_retired_is_current_again(
    say, voice, rogue, scope_of, by_source
):
    say("I live in Paris", category="profile")
    say("I collect old stamps", external_id="crm-1")
    home = say("My sister plays the violin", category="profile")
    hobby = say("My brother drives a bus")
    before, since = active(), timezone.now()
    for saved, content in [(home, "I live in Rome"), (hobby, "I collect old stamps!")]:
        changes.correct(
            by=rogue,
            scope=scope_of(rogue),
            memory_id=saved.memory_id,
            changes={"content": content, "source_name": "rogue"},
        )
    assert active() == {"I live in Rome", "I collect old stamps!"}
    writer = (
        {"source": row(home).source_id}
        if by_source
        else {"token_prefix": rogue.token_prefix}
    )
    undoing.undo_since(by=LIN, since=since, dry_run=False, **writer)
    assert active() == before
    assert row(hobby).external_id == ""


def test_what_others_changed_since_is_left_alone(say, voice, rogue, scope_of):
    saved = say("My cat is called Tom")
    since = timezone.now()
    change(rogue, scope_of, saved, "My cat is called Bob")
    change(voice, scope_of, saved, "My cat is called Jim")
    done = undoing.undo_since(
        by=LIN, since=since, token_prefix=rogue.token_prefix, dry_run=False
    )
    assert done.left_alone == (saved.memory_id,)
    assert active() == {"My cat is called Jim"}


def test_somebody_has_to_be_named(db):
    for writer in ({}, {"token_prefix": "mnm_x", "source": 1}):
        with pytest.raises(InvalidInput):
            undoing.undo_since(by=LIN, since=timezone.now(), **writer)


def test_what_the_user_replaced_is_not_brought_back_with_a_writers_changes(
    say, voice, rogue, scope_of
):
    say("I live in Berlin", category="profile")
    moved = say("My sister plays the violin", category="profile")
    change(voice, scope_of, moved, "I live in Rome")
    assert active() == {"I live in Rome"}
    changes.correct(
        by=rogue,
        scope=scope_of(rogue),
        memory_id=moved.memory_id,
        changes={"tags": ["spam"], "source_name": "rogue"},
    )
    since = datetime(2020, 1, 1, tzinfo=UTC)
    undoing.undo_since(
        by=LIN, since=since, token_prefix=rogue.token_prefix, dry_run=False
    )
    assert active() == {"I live in Rome"}
    assert row(moved).tags == []
