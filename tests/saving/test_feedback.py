from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import time_machine

from memory_core.actions import feedback, reviews
from memory_core.contracts.enums import Status
from memory_core.exceptions import NotFound, TransitionRefused
from memory_core.models import Feedback, Memory, MemoryUse, RecallEvent
from tests.factories import make_caller
from tests.factories.world import BY
from tests.saving.conftest import row

pytestmark = pytest.mark.django_db

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def give(by, scope_of, saved, verdict, **fields):
    feedback.give(
        by=by,
        scope=scope_of(by),
        memory_id=saved.memory_id,
        verdict=verdict,
        **fields,
    )


def base_of(saved):
    return MemoryUse.objects.get(pk=saved.memory_id).base_score


def test_useful_and_not_useful_move_within_limits(say, tool, scope_of):
    with time_machine.travel(START, tick=False):
        saved = say("Likes tea", source_kind="inference", by=tool)
        give(tool, scope_of, saved, "useful")
        assert row(saved).confidence == pytest.approx(0.65)
        assert base_of(saved) == pytest.approx(0.45)
        give(tool, scope_of, saved, "useful")
    assert row(saved).confidence == pytest.approx(0.65), "once an hour"
    for hours in range(2, 22, 2):
        with time_machine.travel(START + timedelta(hours=hours), tick=False):
            give(tool, scope_of, saved, "useful")
    assert row(saved).confidence == pytest.approx(0.7)
    for hours in range(24, 64, 2):
        with time_machine.travel(START + timedelta(hours=hours), tick=False):
            give(tool, scope_of, saved, "not_useful")
    assert row(saved).confidence == pytest.approx(0.3)
    assert base_of(saved) == 0


def test_wrong_opens_a_review(say, tool, scope_of):
    saved = say("Likes tea", source_kind="inference", by=tool)
    give(tool, scope_of, saved, "wrong", note="my key is AKIAIOSFODNN7EXAMPLQ")
    memory = row(saved)
    assert memory.status == Status.PENDING
    assert "reported_wrong" in memory.decision["reasons"]
    assert "AKIA" not in Feedback.objects.get().note


def test_a_tool_cannot_take_away_what_the_user_said(say, tool, scope_of):
    saved = say("I am allergic to peanuts")
    give(tool, scope_of, saved, "wrong")
    memory = row(saved)
    assert memory.status == Status.ACTIVE
    assert memory.decision["reasons"] == ["reported_wrong"]


def test_feedback_on_a_foreign_memory_finds_nothing(say, voice, scope_of):
    saved = say("I like tea")
    with pytest.raises(NotFound):
        feedback.give(
            by=voice,
            scope=scope_of(voice, "user-43"),
            memory_id=saved.memory_id,
            verdict="useful",
        )


def test_only_what_a_recall_returned_counts_as_used(say, voice, scope_of):
    served, other, unused = (
        say(text) for text in ("I like tea", "My cat is Tom", "I work at night")
    )
    recall_id, memory = uuid4(), row(served)
    for one in (served, unused):
        RecallEvent.objects.create(
            recall_id=recall_id,
            memory_id=one.memory_id,
            owner_id=memory.owner_id,
            namespace_id=memory.namespace_id,
            agent_id=voice.agent_id,
            rank=1,
            score=0.5,
            at=START,
        )
    for _ in range(2):
        feedback.report_used(
            by=voice,
            scope=scope_of(voice),
            recall_id=recall_id,
            used=[served.memory_id, other.memory_id],
        )
    kept = dict(Feedback.objects.values_list("memory_id", "verdict"))
    assert kept == {served.memory_id: "used", unused.memory_id: "unused"}
    assert Feedback.objects.count() == 2
    assert base_of(served) == pytest.approx(0.65, abs=1e-3)
    assert base_of(unused) == pytest.approx(0.6, abs=1e-3)


@pytest.mark.parametrize("verdict", ["useful", "not_useful", "wrong"])
def test_who_may_only_read_moves_nothing(say, tool, scope_of, verdict):
    saved = say("Likes tea", source_kind="inference", by=tool)
    before = row(saved).confidence, base_of(saved)
    reader = make_caller("reader", shared={"shop": "r"})
    give(reader, scope_of, saved, verdict)
    feedback.report_used(
        by=reader,
        scope=scope_of(reader),
        recall_id=uuid4(),
        used=[saved.memory_id],
    )
    memory = row(saved)
    assert (memory.confidence, base_of(saved)) == before
    assert memory.status == Status.ACTIVE
    is_reported = "reported_wrong" in memory.decision.get("reasons", [])
    assert is_reported == (verdict == "wrong")


def test_what_only_readers_call_wrong_keeps_its_approval(say, tool, scope_of):
    saved = say("Likes tea", source_kind="inference", by=tool)
    Memory.unscoped.update(reviewed_at=START, reviewed_by="operator:lin")
    reader = make_caller("critic", shared={"shop": "r"})
    give(reader, scope_of, saved, "wrong")
    memory = row(saved)
    assert (memory.status, memory.reviewed_by) == (Status.ACTIVE, "operator:lin")
    assert memory.decision["reasons"] == ["reported_wrong"]
    reviews.approve(
        by=BY,
        memory_id=memory.pk,
        expected_version=memory.version,
        content_digest=bytes(memory.content_digest).hex(),
    )
    assert row(saved).decision["reasons"] == []
    with pytest.raises(TransitionRefused):
        reviews.approve(
            by=BY,
            memory_id=memory.pk,
            expected_version=memory.version,
            content_digest=bytes(memory.content_digest).hex(),
        )
