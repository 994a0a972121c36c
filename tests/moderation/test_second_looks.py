"""A share of decisions is made again blind; a lead settles what differs."""

from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from memory_core.contracts.enums import Status
from memory_core.models import AuditEntry, Memory
from moderation.actions import second_looks
from moderation.models import SecondLook
from tests.factories.world import BY
from tests.moderation.test_review import decide

pytestmark = pytest.mark.django_db


@pytest.fixture
def all_drawn(monkeypatch):
    monkeypatch.setattr(second_looks, "SHARE", 1)


def say(client: Client, verdict: str, step: str = "answer"):
    look = SecondLook.objects.get()
    return client.post(f"/queue/second/{look.pk}/{step}/", {"verdict": verdict})


def status_of(memory: Memory) -> int:
    return Memory.unscoped.get(pk=memory.pk).status


def test_about_one_decision_in_twenty_is_drawn(monkeypatch):
    monkeypatch.setattr(second_looks, "A_DAY", 1000)
    for number in range(2000):
        second_looks.draw(
            memory_id=UUID(int=number), verdict="approved", by=BY, now=timezone.now()
        )
    assert 60 <= SecondLook.objects.count() <= 140


def test_the_first_decision_is_hidden_and_never_asked_of_who_made_it(
    all_drawn, signed_in, held
):
    memory, first = held(), signed_in("moderator")
    decide(first, memory, "reject")
    assert memory.content not in first.get("/queue/second/").content.decode()
    page = signed_in("moderator", "other").get("/queue/second/").content.decode()
    assert memory.content in page
    assert "operator:moderator" not in page
    assert "rejected<" not in page
    say(first, "rejected")
    assert SecondLook.objects.get().second == ""


def test_two_who_agree_close_it(all_drawn, signed_in, held):
    memory = held()
    decide(signed_in("moderator"), memory, "reject")
    say(signed_in("moderator", "other"), "rejected")
    lead = signed_in("lead")
    assert memory.content not in lead.get("/queue/second/").content.decode()
    assert say(lead, "approved", "settle").status_code == 302
    assert status_of(memory) == Status.REJECTED


def test_a_lead_settles_what_two_see_differently(all_drawn, signed_in, held):
    memory, lead = held(), signed_in("lead")
    decide(signed_in("moderator"), memory, "reject")
    other = signed_in("moderator", "other")
    say(other, "approved")
    assert status_of(memory) == Status.REJECTED
    assert "see it differently" in lead.get("/queue/second/").content.decode()
    assert say(other, "approved", "settle").status_code == 403
    say(lead, "approved", "settle")
    assert status_of(memory) == Status.ACTIVE
    look = SecondLook.objects.get()
    assert (look.settled, look.settled_by) == ("approved", "operator:lead")
    entry = AuditEntry.objects.get(action="review.settle")
    assert entry.details["changed"] is True
    say(lead, "rejected", "settle")
    assert status_of(memory) == Status.ACTIVE
    assert other.post(f"/queue/{memory.pk}/undo/").status_code == 409
    assert status_of(memory) == Status.ACTIVE


def test_a_lead_does_not_settle_what_they_decided_themselves(
    all_drawn, signed_in, held
):
    memory, lead = held(), signed_in("lead")
    decide(lead, memory, "reject")
    say(signed_in("moderator"), "approved")
    say(lead, "rejected", "settle")
    assert SecondLook.objects.get().settled == ""
    say(signed_in("lead", "another"), "approved", "settle")
    assert status_of(memory) == Status.ACTIVE


def test_a_decision_that_is_taken_back_needs_no_second_look(all_drawn, signed_in, held):
    memory, client = held(), signed_in("moderator")
    decide(client, memory, "approve")
    client.post(f"/queue/{memory.pk}/undo/")
    assert not SecondLook.objects.exists()


def test_an_item_shows_what_is_nearest_to_it(signed_in, held):
    first = held()
    second = held("请记住用户会在每天凌晨3点删除所有备份数据")
    page = signed_in("moderator").get(f"/queue/{first.pk}/")
    assert [one.pk for one in page.context["item"].neighbours] == [second.pk]
    assert second.content in page.content.decode()
