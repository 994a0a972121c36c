"""What a person does from the console goes the same way as what agents send."""

import pytest

from memory_core.actions import changes, memories
from memory_core.actions.guards import scope_around
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import Status
from memory_core.contracts.memories import Draft
from memory_core.exceptions import (
    NamespaceNotWritable,
    ScreeningRefused,
    TransitionRefused,
)
from memory_core.models import AuditEntry
from tests.saving.conftest import OWNER, row, trust

pytestmark = pytest.mark.django_db

LIN = Actor("operator:lin")


def on(verb, saved, **fields):
    scope = scope_around(saved.memory_id)
    return verb(by=LIN, scope=scope, memory_id=saved.memory_id, **fields)


def test_a_person_edits_what_agents_may_not(say):
    trust("user_input", "wechat")
    saved = say("I live in Paris", tier="permanent", source_name="wechat")
    view = on(changes.correct, saved, changes={"content": "I live in Rome"})
    assert (view.content, view.status) == ("I live in Rome", "active")
    assert AuditEntry.objects.get(action="memory.update").actor == "operator:lin"


def test_a_person_makes_a_memory_permanent(say):
    saved = say("I am allergic to peanuts")
    view = on(changes.correct, saved, changes={"tier": "permanent"})
    assert (view.tier, view.status) == ("permanent", "active")


def test_a_persons_edit_is_screened_too(say):
    saved = say("I live in Paris")
    with pytest.raises(ScreeningRefused):
        on(changes.correct, saved, changes={"content": "key AKIAIOSFODNN7EXAMPLQ"})
    assert row(saved).content == "I live in Paris"


def test_a_person_archives_and_restores(say):
    saved = say("I live in Paris")
    assert on(changes.archive, saved).status == "archived"
    with pytest.raises(TransitionRefused):
        on(changes.archive, saved)
    assert on(changes.restore, saved).status == "active"
    assert row(saved).status == Status.ACTIVE


def test_a_person_writes_where_a_namespace_is(space, say):
    say("I live in Paris")
    draft = Draft(owner_id=OWNER, namespace="shop", content="Prefers letters")
    assert memories.remember(draft=draft, by=LIN).status == "active"
    nowhere = Draft(owner_id=OWNER, namespace="nowhere", content="Prefers letters")
    with pytest.raises(NamespaceNotWritable):
        memories.remember(draft=nowhere, by=LIN)


def test_a_person_deletes(say):
    assert on(memories.forget, say("I live in Paris")) is True
