"""Real threads with connections of their own against a real PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory_core import locks
from memory_core.actions import access, changes, memories
from memory_core.contracts.enums import Status
from memory_core.contracts.idempotency import IdempotencyKey
from memory_core.contracts.memories import Draft
from memory_core.exceptions import (
    IdempotencyConflict,
    MnemeError,
    NotFound,
    OwnerBeingErased,
    SourceBlocked,
)
from memory_core.models import (
    Corpus,
    IdempotencyRecord,
    Memory,
    MemoryTerm,
    MemoryVector,
    Source,
    Tombstone,
)
from memory_core.saving.gates import owner_digests
from tests.saving.conftest import OWNER

pytestmark = pytest.mark.django_db(transaction=True)


def draft(content="I like blue", **fields):
    values = {
        "owner_id": OWNER,
        "namespace": "",
        "source_kind": "user_input",
        "category": "preference",
    }
    return Draft(content=content, **values | fields)


def together(*calls):
    """Run the calls at once, each on a connection of its own; errors are results."""
    start = Barrier(len(calls))

    def run(call):
        try:
            start.wait()
            return call()
        except MnemeError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_twenty_saves_of_one_text_make_one_memory(voice):
    results = together(*[lambda: memories.remember(draft=draft(), by=voice)] * 20)
    assert len({saved.memory_id for saved in results}) == 1
    events = sorted(saved.event for saved in results)
    assert events == ["added", *["reinforced"] * 19]
    assert Memory.unscoped.count() == 1
    assert Corpus.objects.get().memories == 1


def test_rewordings_at_once_leave_one_active_memory(voice):
    words = ["I am allergic to peanuts", "I have a peanut allergy"]
    calls = [
        lambda text=text: memories.remember(
            draft=draft(text, category="constraint"), by=voice
        )
        for text in words * 4
    ]
    together(*calls)
    assert Memory.unscoped.filter(status=Status.ACTIVE).count() == 1


def test_a_key_sent_many_times_at_once_changes_once(voice):
    once = IdempotencyKey(voice.token_id, "k1", b"d" * 32)
    results = together(
        *[lambda: memories.remember(draft=draft(), by=voice, once=once)] * 10
    )
    assert len({(one.memory_id, one.event, one.score) for one in results}) == 1
    assert results[0].event == "added"
    assert IdempotencyRecord.objects.count() == 1


def test_a_key_with_another_body_is_a_conflict(voice):
    first = IdempotencyKey(voice.token_id, "k1", b"d" * 32)
    other = IdempotencyKey(voice.token_id, "k1", b"e" * 32)
    memories.remember(draft=draft(), by=voice, once=first)
    with pytest.raises(IdempotencyConflict):
        memories.remember(draft=draft("I like tea"), by=voice, once=other)


def test_a_batch_sent_again_under_its_key_changes_nothing(voice):
    once = IdempotencyKey(voice.token_id, "batch", b"d" * 32)
    drafts = [draft("I like tea"), draft("My cat is called Tom")]
    first = memories.remember_many(drafts=drafts, by=voice, once=once)
    assert memories.remember_many(drafts=drafts, by=voice, once=once) == first


def test_no_text_is_kept_for_a_key(voice):
    once = IdempotencyKey(voice.token_id, "k1", b"d" * 32)
    memories.remember(draft=draft("I like blue"), by=voice, once=once)
    assert "blue" not in str(IdempotencyRecord.objects.get().answer)


def test_an_update_that_races_a_delete_ends_in_one_of_two_orders(voice):
    for number in range(6):
        saved = memories.remember(
            draft=draft(f"Fact number {number} of many"), by=voice
        )
        scope = access.read_scope(voice, OWNER)
        updated, deleted = together(
            lambda saved=saved, scope=scope: changes.correct(
                by=voice,
                scope=scope,
                memory_id=saved.memory_id,
                changes={"content": "Something else entirely"},
            ),
            lambda saved=saved, scope=scope: memories.forget(
                by=voice, scope=scope, memory_id=saved.memory_id
            ),
        )
        assert deleted is True
        assert isinstance(updated, NotFound) or updated.version == 2
    assert not Memory.unscoped.exists()
    assert not MemoryTerm.objects.exists()
    assert not MemoryVector.objects.exists()
    assert Corpus.objects.get().memories == 0
    assert Corpus.objects.get().length == 0


def test_updates_at_once_lose_none(voice):
    saved = memories.remember(draft=draft(), by=voice)
    scope = access.read_scope(voice, OWNER)
    tags = [("a",), ("b",)]
    together(
        *[
            lambda tag=tag: changes.correct(
                by=voice, scope=scope, memory_id=saved.memory_id, changes={"tags": tag}
            )
            for tag in tags
        ]
    )
    assert Memory.unscoped.get().version == 3


def test_no_write_commits_after_the_block(voice):
    memories.remember(draft=draft(), by=voice)

    def block():
        with transaction.atomic():
            source = Source.objects.select_for_update().get()
            source.blocked_at, source.blocked_by = timezone.now(), "operator:lin"
            source.save()
        return timezone.now()

    saves = [
        lambda number=number: (
            memories.remember(draft=draft(f"Thing {number} is new"), by=voice),
            timezone.now(),
        )
        for number in range(8)
    ]
    blocked_at, *results = together(block, *saves)
    stored = Memory.unscoped.count()
    refused = [one for one in results if isinstance(one, SourceBlocked)]
    assert stored == 1 + len(results) - len(refused)
    with pytest.raises(SourceBlocked):
        memories.remember(draft=draft("One more thing"), by=voice)


def test_no_write_commits_after_the_fence(voice):
    memories.remember(draft=draft(), by=voice)

    def fence():
        with transaction.atomic():
            locks.close_fence(OWNER)
            Tombstone.objects.create(
                digest=owner_digests(OWNER)[0], key_id="1", fenced_at=timezone.now()
            )
        return Memory.unscoped.count()

    saves = [
        lambda number=number: memories.remember(
            draft=draft(f"Thing {number} is new"), by=voice
        )
        for number in range(8)
    ]
    seen, *results = together(fence, *saves)
    refused = [one for one in results if isinstance(one, OwnerBeingErased)]
    assert Memory.unscoped.count() == seen == 1 + len(results) - len(refused)


def test_first_saves_of_a_new_owner_at_once_make_one_owner(voice):
    calls = [
        lambda number=number: memories.remember(
            draft=draft(f"Thing {number} is new", owner_id="new"), by=voice
        )
        for number in range(6)
    ]
    results = together(*calls)
    assert {one.event for one in results} == {"added"}
    assert Memory.unscoped.values("owner").distinct().count() == 1
