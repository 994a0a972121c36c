from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from memory_core.models import MemoryUse
from tests.saving.conftest import row

pytestmark = pytest.mark.django_db

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def use_of(saved):
    return MemoryUse.objects.get(pk=saved.memory_id)


def test_a_users_words_keep_linked_memories_alive_a_little(say):
    with time_machine.travel(START, tick=False):
        linked = say("I play the cello")
        other = say("My cat is called Tom")
    with time_machine.travel(START + timedelta(days=60), tick=False):
        say("I have a concert in June", related=(linked.memory_id,))
    assert use_of(linked).base_score == pytest.approx(0.6 + 0.01 / 0.5)
    assert use_of(linked).last_accessed_at is None
    assert use_of(linked).access_count == 0
    assert use_of(other).base_score == pytest.approx(0.6)


def test_a_machines_words_keep_nothing_alive(say, tool):
    linked = say("I play the cello")
    say(
        "Has a concert in June",
        source_kind="inference",
        related=(linked.memory_id,),
        by=tool,
    )
    assert use_of(linked).base_score == pytest.approx(0.6)


def test_a_refinement_keeps_what_it_refines_alive(say):
    broad = say("我喜欢冷色调")
    fine = say("我喜欢蓝色")
    assert row(fine).related == [broad.memory_id]
    assert use_of(broad).base_score == pytest.approx(0.61, abs=1e-3)
