import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from memory_core.actions import memories
from memory_core.exceptions import InvalidInput, LegalHoldInForce
from memory_core.models import LegalHold, Memory
from memory_core.saving import wishes
from memory_core.saving.wishes import Kind, Wish
from tests.factories import make_caller
from tests.saving.conftest import row

pytestmark = pytest.mark.django_db

CASES = Path(__file__).with_name("forgetting.toml")
STORES = tomllib.loads(CASES.read_text("utf-8"))["store"]
T1 = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def forget(voice, scope_of):
    def forget(by=voice, **fields):
        return memories.forget_matching(by=by, scope=scope_of(by), **fields)

    return forget


def texts():
    return set(Memory.unscoped.values_list("content", flat=True))


@pytest.mark.parametrize(
    ("asked", "kind", "matter"),
    [
        ("忘掉我之前说的地址", Kind.TOPIC, "地址"),
        ("请忘记我的电话号码", Kind.TOPIC, "我的电话号码"),
        ("把我说过的生日忘掉", Kind.TOPIC, "生日"),
        ("别再记得我对花生过敏", Kind.STATEMENT, "我对花生过敏"),
        ("把我对花生过敏这件事忘了", Kind.STATEMENT, "我对花生过敏"),
        ("Forget what I said about my address", Kind.TOPIC, "my address"),
        ("forget what I told you yesterday about Tom", Kind.TOPIC, "Tom"),
        ("please delete everything about my job", Kind.TOPIC, "my job"),
        ("forget that I like tea.", Kind.STATEMENT, "I like tea"),
        ("forget the fact that my son is ill", Kind.STATEMENT, "my son is ill"),
        ("Forget I'm ill", Kind.STATEMENT, "I'm ill"),
        ("my dog", Kind.TOPIC, "my dog"),
        ("forget", Kind.TOPIC, ""),
        ("forget what I just said", Kind.TOPIC, ""),
        ("forget all about me, please", Kind.EVERYTHING, ""),
        ("请忘掉关于我的一切", Kind.EVERYTHING, ""),
        ("請刪除我對花生過敏這件事", Kind.STATEMENT, "我对花生过敏"),
    ],
)
def test_a_request_names_a_statement_a_topic_or_everything(asked, kind, matter):
    assert wishes.read(asked) == Wish(kind, matter)


@pytest.mark.parametrize("store", STORES, ids=lambda store: store["name"])
def test_what_is_meant_goes_and_nothing_else(say, forget, store):
    """Of what has to go only what `missed` names stays."""
    names = {
        say(text, category="event").memory_id: name
        for name, text in store["memories"].items()
    }
    wrong, missed = {}, set()
    for query, case in store["cases"].items():
        found = forget(query=query, dry_run=True)
        gone, meant = {names[one] for one in found.memory_ids}, {*case.get("gone", ())}
        if beside := gone - meant - {*case.get("may", ())}:
            wrong[query] = beside
        if meant - gone:
            missed.add(query)
        assert found.hint == case.get("hint", "" if gone else "nothing_fits"), query
    assert wrong == {}
    assert missed == {*store.get("missed", ())}


def test_another_value_of_what_was_replaced_stays(say, forget):
    say("My address is 5 Main Street, London", category="fact")
    say("My address is now 12 Baker Street, London", category="fact")
    forget(query="forget that my address is 12 Baker Street, London", dry_run=False)
    assert texts() == {"My address is 5 Main Street, London"}


def test_a_topic_is_found_late_in_a_long_memory(say, forget):
    talk = "Today I walked along the river and saw many ducks. " * 20
    say(f"{talk} My tax debt worries me.", category="event")
    say(talk, category="event")
    assert len(forget(query="forget my tax debt", dry_run=True).memory_ids) == 1


def test_what_is_said_of_another_subject_stays(say, forget):
    say("Likes green tea", subject="Anna", category="event")
    say("Really loves green tea", category="event")
    asked = forget(query="forget that I like green tea", dry_run=True)
    assert [view.content for view in asked.memories] == ["Really loves green tea"]
    asked = forget(query="what I said about Anna", dry_run=True)
    assert [view.content for view in asked.memories] == ["Likes green tea"]


def test_the_address_is_really_gone_with_all_it_replaced(say, forget):
    say("我的地址是北京市朝阳区建国路88号", category="fact")
    say("我的地址改成了上海市静安区南京西路1266号", category="fact")
    say("我喜欢吃辣", category="preference")
    say("我的猫叫汤姆", category="fact")
    asked = forget(query="忘掉我之前说的地址", dry_run=True)
    assert {view.content for view in asked.memories} == {
        "我的地址是北京市朝阳区建国路88号",
        "我的地址改成了上海市静安区南京西路1266号",
    }
    assert len(texts()) == 4
    done = forget(query="忘掉我之前说的地址", dry_run=False)
    assert set(done.memory_ids) == set(asked.memory_ids)
    assert texts() == {"我喜欢吃辣", "我的猫叫汤姆"}


def test_an_english_address_goes_too(say, forget):
    say("My address is 12 Baker Street, London", category="fact")
    say("I like hot food")
    forget(query="forget what I said about my address", dry_run=False)
    assert texts() == {"I like hot food"}


def test_a_session_and_a_moment_can_be_forgotten(say, forget):
    say("I like tea", session_id="s1", observed_at=T1)
    say("My cat is called Tom", session_id="s2", observed_at=T1)
    say("I work at night", session_id="s1")
    forget(session_id="s1", since=T1 + timedelta(days=1), dry_run=False)
    assert texts() == {"I like tea", "My cat is called Tom"}
    forget(session_id="s1", dry_run=False)
    assert texts() == {"My cat is called Tom"}


def test_forgetting_needs_something_to_forget(forget):
    with pytest.raises(InvalidInput):
        forget(dry_run=False)


def test_only_writable_namespaces_are_touched(say, forget):
    say("I like tea", session_id="s1")
    reader = make_caller("reader", shared={"shop": "r"})
    assert forget(by=reader, session_id="s1", dry_run=False).memory_ids == ()
    assert texts() == {"I like tea"}


@pytest.mark.parametrize("reach", ["owner", "namespace", "memory_id"])
def test_a_legal_hold_keeps_what_it_protects(say, voice, scope_of, forget, reach):
    saved = say("I like tea", session_id="s1")
    memory = row(saved)
    values = {
        "owner": memory.owner,
        "namespace": memory.namespace,
        "memory_id": memory.pk,
    }
    LegalHold.objects.create(
        reason="court_order",
        placed_by="operator:lin",
        placed_at=T1,
        **{reach: values[reach]},
    )
    with pytest.raises(LegalHoldInForce):
        memories.forget(by=voice, scope=scope_of(voice), memory_id=saved.memory_id)
    with pytest.raises(LegalHoldInForce):
        forget(session_id="s1", dry_run=False)
    assert texts() == {"I like tea"}
    LegalHold.objects.update(released_at=timezone.now())
    assert memories.forget(by=voice, scope=scope_of(voice), memory_id=saved.memory_id)


@pytest.mark.parametrize(
    "hostile", ["! " * 20_000 + "x", "i said" + " " * 40_000 + "x"]
)
def test_of_an_endless_request_the_beginning_is_read(hostile):
    assert len(wishes.read(f"forget {hostile}").matter) <= wishes.LONGEST


def test_a_version_of_a_hundred_parts_among_the_memories_stops_no_request(say, forget):
    version = ".".join(["1"] * 150)
    say(f"The build is version {version}", category="event")
    say("I am allergic to peanuts")
    found = forget(query="forget that I am allergic to peanuts")
    assert len(found.memory_ids) == 1
