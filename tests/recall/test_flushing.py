"""Recalls move scores and leave a trail, each once, whatever happens in between."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from memory_core import digests, valkey
from memory_core.models import (
    AuditEntry,
    Memory,
    Owner,
    RecallEvent,
    RecallSample,
    Token,
)
from memory_core.recall import touches
from memory_core.saving import storage
from tests.factories import make_caller


def test_a_recall_adds_to_the_decayed_base_and_moves_the_time(world, flush):
    memory = world.tell("went skiing", category="event")
    month_ago = timezone.now() - timedelta(days=30)
    world.set_use(memory, last_accessed_at=month_ago)
    world.ask("skiing")
    flush()
    use = world.use_of(memory)
    assert use.base_score == pytest.approx(0.3 + 0.1, abs=1e-3)
    assert use.access_count == 1
    assert timezone.now() - use.last_accessed_at < timedelta(minutes=1)


def test_five_accesses_in_five_sessions_add_five_hundredths(world, flush):
    memory = world.tell("likes tea", category="fact")
    for number in range(5):
        world.ask("tea", session_id=f"session-{number}")
    flush()
    hit = world.ask("tea").hits[0].memory
    assert hit.access_count == 5
    assert world.use_of(memory).base_score == 1.0
    assert hit.score == 1.0


def test_asking_in_a_loop_within_one_session_counts_once(world, flush):
    memory = world.tell("likes tea", category="fact")
    for _ in range(3):
        world.ask("tea", session_id="s")
        flush()
    use = world.use_of(memory)
    assert (use.access_count, use.base_score) == (1, pytest.approx(0.7, abs=1e-3))


def test_a_permanent_memory_does_not_decay_before_it_gains(world, flush):
    memory = world.tell("blood group AB", category="fact")
    Memory.unscoped.filter(pk=memory).update(tier="permanent")
    year_ago = timezone.now() - timedelta(days=365)
    world.set_use(memory, last_accessed_at=year_ago)
    world.ask("blood group")
    flush()
    assert world.use_of(memory).base_score == pytest.approx(0.7)


def test_a_task_keeps_its_base_until_its_deadline(world, flush):
    memory = world.tell(
        "hand in the report",
        category="task",
        expire_at=timezone.now() + timedelta(days=9),
    )
    world.set_use(memory, last_accessed_at=timezone.now() - timedelta(days=60))
    world.ask("report")
    flush()
    assert world.use_of(memory).base_score == pytest.approx(0.7)


def test_touch_false_moves_nothing_but_is_still_audited(world, flush):
    memory = world.tell("likes tea")
    world.ask("tea", touch=False)
    done = flush()
    assert (done.gains, done.events, done.audit_entries) == (0, 1, 1)
    assert world.use_of(memory).access_count == 0


def test_every_call_has_one_audit_entry_without_any_text(world, flush):
    world.tell("likes green tea")
    result = world.ask("which tea")
    world.ask("nothing of the kind", owner="nobody")
    flush()
    entries = list(AuditEntry.objects.filter(action="recall").order_by("id"))
    assert [entry.details["returned"] for entry in entries] == [1, 0]
    assert entries[0].details["recall_id"] == str(result.recall_id)
    assert bytes(entries[0].owner_digest) == digests.of_owner("ming")
    assert entries[0].actor == world.by.name
    assert "tea" not in json.dumps([entry.details for entry in entries])


def test_every_served_memory_has_an_event_with_its_rank(world, flush):
    world.tell("likes green tea", category="event")
    world.tell("likes black tea", category="event")
    result = world.ask("tea")
    flush()
    events = RecallEvent.objects.filter(recall_id=result.recall_id).order_by("rank")
    assert [event.memory_id for event in events] == [
        hit.memory.memory_id for hit in result.hits
    ]
    assert [event.rank for event in events] == [1, 2]


def test_the_token_shows_its_last_use(world, flush):
    world.ask("anything")
    flush()
    assert Token.objects.get(pk=world.by.token_id).last_used_at is not None


def test_a_used_token_is_noted_without_a_recall(world, flush):
    touches.note_use(world.by)
    done = flush()
    assert (done.notes, done.audit_entries) == (1, 0)
    assert Token.objects.get(pk=world.by.token_id).last_used_at is not None


def test_samples_keep_the_last_queries_of_a_namespace(world, flush, settings):
    settings.RECALL_SAMPLES = 2
    world.tell("likes tea")
    for query in ("tea one", "tea two", "tea three"):
        world.ask(query)
    flush()
    kept = RecallSample.objects.order_by("at").values_list("query", flat=True)
    assert list(kept) == ["tea two", "tea three"]


def test_samples_can_be_switched_off(world, flush, settings):
    settings.RECALL_SAMPLES = 0
    world.tell("likes tea")
    world.ask("tea")
    waiting = valkey.client().lrange(touches.WAITING, 0, -1)
    assert b"tea" not in b"".join(waiting)
    assert flush().samples == 0


def test_an_owner_who_went_meanwhile_leaves_nothing_behind(world, flush):
    memory = world.tell("likes tea")
    world.ask("tea")
    storage.remove([memory])
    Owner.objects.filter(external_id="ming").delete()
    done = flush()
    assert (done.gains, done.events, done.samples) == (0, 0, 0)
    assert done.audit_entries == 1


def test_linked_memories_are_kept_alive_a_little(world, flush):
    linked = world.tell("the dentist is in Maple Street", category="event")
    asked = world.tell("root canal on Friday", category="event", related=(linked,))
    month_ago = timezone.now() - timedelta(days=30)
    world.set_use(linked, base_score=0.6, last_accessed_at=month_ago)
    world.ask("root canal", top_k=1)
    assert flush().kin == 1
    use = world.use_of(linked)
    assert use.base_score == pytest.approx(0.6 + 0.01 / 0.5, abs=1e-3)
    assert (use.access_count, use.last_gain_at) == (0, None)
    assert use.last_accessed_at == month_ago
    assert world.use_of(asked).base_score == pytest.approx(0.7, abs=1e-3)


def test_very_similar_memories_are_kept_alive_too_and_others_are_not(world, flush):
    asked = world.tell("the user went skiing in Harbin", category="event")
    near = world.tell("the user went skiing in Harbin again", category="event")
    far = world.tell("the rent is due on the first", category="event")
    first = world.ask("skiing in Harbin", top_k=1).hits[0].memory.memory_id
    assert flush().kin == 1
    similar = near if first == asked else asked
    assert world.use_of(similar).base_score == pytest.approx(0.61, abs=1e-3)
    assert world.use_of(far).base_score == pytest.approx(0.6)


def test_an_agent_that_does_not_speak_for_users_keeps_no_kin_alive(world, flush):
    agent = make_caller(scopes=("recall", "save"), shared={"desk": "rw"})
    linked = world.tell("the dentist is in Maple Street", by=agent, namespace="desk")
    world.tell("root canal on Friday", by=agent, namespace="desk", related=(linked,))
    world.ask("root canal", by=agent, top_k=1)
    assert flush().kin == 0


def test_the_command_prints_one_document(world):
    world.tell("likes tea")
    world.ask("tea")
    out = StringIO()
    call_command("flush", "--json", stdout=out)
    answer = json.loads(out.getvalue())
    assert (answer["notes"], answer["gains"], answer["events"]) == (1, 1, 1)
