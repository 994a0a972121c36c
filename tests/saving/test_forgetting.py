from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from memory_core.actions import memories
from memory_core.exceptions import InvalidInput, LegalHoldInForce
from memory_core.models import LegalHold, Memory
from memory_core.saving.matching import matter_of
from tests.factories import make_caller
from tests.saving.conftest import row

pytestmark = pytest.mark.django_db

T1 = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def forget(voice, scope_of):
    def forget(by=voice, **fields):
        return memories.forget_matching(by=by, scope=scope_of(by), **fields)

    return forget


def texts():
    return set(Memory.unscoped.values_list("content", flat=True))


@pytest.mark.parametrize(
    ("asked", "matter"),
    [
        ("忘掉我之前说的地址", "地址"),
        ("请忘记我的电话号码", "的电话号码"),
        ("把我说过的生日忘掉", "把我说过的生日忘掉"),
        ("Forget what I said about my address", "my address"),
        ("please delete everything about my job", "my job"),
        ("my dog", "my dog"),
        ("forget", "forget"),
    ],
)
def test_a_request_is_about_its_matter(asked, matter):
    assert matter_of(asked) == matter


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
