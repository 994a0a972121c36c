"""Secrets are refused, or replaced where the policy says so; they are never stored."""

import json

import pytest

from memory_core.actions import changes, memories
from memory_core.contracts.memories import Draft
from memory_core.exceptions import ScreeningRefused
from memory_core.models import AuditEntry, Memory, MemoryVersion, Namespace
from memory_core.saving import lookups
from memory_core.screening import redact_secrets
from tests.factories.world import BY
from tests.saving.conftest import OWNER, row

pytestmark = pytest.mark.django_db

KEY = "ghp_" + "9fK2mQ7sXb4LzT0vWnR6yUcE1hJpD8aG3iOx"
TEXT = f"The token of the shop is {KEY}, ask Ann for a new one"
KEPT = "The token of the shop is [redacted:github_token], ask Ann for a new one"


def stored() -> str:
    rows = list(Memory.unscoped.values("content", "metadata", "tags", "entities"))
    return json.dumps([*rows, *MemoryVersion.objects.values("content", "values")])


@pytest.fixture
def redacting(space, settings):
    settings.SECRETS = "redact"
    lookups.forget()


@pytest.mark.parametrize("kind", ["user_input", "tool_result", "inference"])
def test_a_secret_is_replaced_and_the_rest_kept(say, redacting, kind):
    saved = say(TEXT, source_kind=kind)
    assert saved.redacted == ("github_token",)
    memory = row(saved)
    assert memory.content == KEPT
    assert memory.verdict["tags"] == []
    assert AuditEntry.objects.get(action="memory.save").details["redacted"]


def test_every_text_of_a_memory_is_cleaned(say, redacting):
    say(
        "I like tea",
        subject=f"x {KEY}",
        entities=(KEY, "Ann"),
        tags=(KEY,),
        metadata={"a": [{"note": TEXT}], KEY: 1, "n": None},
    )
    memory = Memory.unscoped.get()
    assert KEY not in stored()
    assert memory.entities == ["[redacted:github_token]", "Ann"]
    assert memory.metadata["a"] == [{"note": KEPT}]
    assert memory.metadata["n"] is None


@pytest.mark.parametrize("name", ["external_id", "session_id", "source_name"])
def test_a_secret_in_a_name_is_refused_since_names_must_stay_apart(
    say, redacting, name
):
    with pytest.raises(ScreeningRefused):
        say("I like tea", **{name: KEY})
    assert not Memory.unscoped.exists()


def test_an_update_is_cleaned_too(say, voice, scope_of, redacting):
    saved = say("I like tea")
    wanted = {"content": TEXT, "tags": ["shop"]}
    scope = scope_of(voice)
    changes.correct(by=voice, scope=scope, memory_id=saved.memory_id, changes=wanted)
    assert row(saved).content == KEPT
    assert KEY not in stored()


def test_the_same_secret_said_again_is_one_memory(say, redacting):
    first = say(TEXT)
    again = say(TEXT)
    assert (again.event, again.memory_id) == ("reinforced", first.memory_id)


def test_a_namespace_may_decide_otherwise(say, redacting):
    Namespace.objects.filter(name="shop").update(secrets="refuse")
    lookups.forget()
    with pytest.raises(ScreeningRefused):
        say(TEXT)
    Namespace.objects.filter(name="shop").update(secrets="redact")
    lookups.forget()
    assert say(TEXT).redacted


def test_without_a_policy_it_is_refused(say):
    with pytest.raises(ScreeningRefused):
        say(TEXT)
    assert not Memory.unscoped.exists()


def test_a_person_at_the_console_stores_none_either(voice, redacting):
    draft = Draft(owner_id=OWNER, namespace="shop", content=TEXT)
    saved = memories.remember(draft=draft, by=BY)
    assert row(saved).content == KEPT


def test_what_stands_for_a_secret_is_no_secret():
    kept = redact_secrets(redact_secrets(f"password: hunter2x! and {TEXT}").text)
    assert kept.kinds == ()
