"""For which questions a memory that waits would have been recalled."""

import pytest
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory_core.actions import memories, reviews
from memory_core.actions.reviews_replay import replay
from memory_core.contracts.enums import Status
from memory_core.contracts.memories import Draft
from memory_core.models import AuditEntry, Memory, RecallSample
from memory_core.saving.vectors import ensure_model
from tests.factories import make_caller
from tests.factories.world import BY

pytestmark = pytest.mark.django_db
ABOUT_IT = "Which instrument does the user play?"
OTHER = "What does the user like to drink?"
DRINKS = [f"The user likes {one} to drink" for one in ("tea", "coffee", "cider")]


def ask(memory: Memory, query: str, **filters: object) -> None:
    RecallSample.objects.create(
        namespace=memory.namespace,
        owner=memory.owner,
        recall_id=uuid7(),
        query=query,
        filters=filters,
        at=timezone.now(),
    )


def remember(content: str) -> Memory:
    draft = Draft(
        owner_id="lin",
        content=content,
        namespace="support",
        source_kind="user_input",
        source_name="lin",
    )
    caller = make_caller(shared={"support": "rw"})
    saved = memories.remember(draft=draft, by=caller)
    return Memory.unscoped.get(pk=saved.memory_id)


@pytest.fixture
def asked() -> Memory:
    """Return a memory that waits, of somebody who was asked about it and other things.

    The other things are remembered as well.
    """
    ensure_model()
    memory = remember("The user plays the cello, an instrument of wood")
    for content in DRINKS:
        remember(content)
    reviews.reopen(by=BY, memory_id=memory.pk)
    ask(memory, OTHER, top_k=1)
    ask(memory, ABOUT_IT, top_k=3)
    return Memory.unscoped.get(pk=memory.pk)


def test_the_item_says_for_which_question_at_which_rank(signed_in, asked):
    client = signed_in("moderator")
    place = f"/queue/{asked.pk}/recalls/"
    assert f'hx-get="{place}"' in client.get(f"/queue/{asked.pk}/").content.decode()
    page = client.get(place, headers={"HX-Request": "true"})
    served = page.context["replay"].served
    assert [(one.question, one.rank) for one in served] == [(ABOUT_IT, 1)]
    text = page.content.decode()
    assert "Of the 2 different questions asked last" in text
    assert ABOUT_IT in text
    assert "<html" not in text


def test_the_link_leads_to_a_page_of_its_own(signed_in, asked):
    page = signed_in("moderator").get(f"/queue/{asked.pk}/recalls/").content.decode()
    assert "<html" in page
    assert ABOUT_IT in page


def test_nothing_is_changed_by_asking(asked):
    before = Memory.unscoped.values().order_by("pk")
    rows, entries = list(before), AuditEntry.objects.count()
    replay(asked, now=timezone.now())
    assert list(before.all()) == rows
    assert AuditEntry.objects.count() == entries
    assert Memory.unscoped.get(pk=asked.pk).status == Status.PENDING


def test_what_would_be_kept_back_even_then_is_told_apart(signed_in, held):
    memory = held()
    ask(memory, "备份数据什么时候删除？")
    page = signed_in("moderator").get(f"/queue/{memory.pk}/recalls/")
    assert (page.context["replay"].served, page.context["replay"].held_back) == ([], 1)
    assert "found but not given" in page.content.decode()


def test_that_nothing_was_found_is_said(signed_in, asked):
    RecallSample.objects.filter(query=ABOUT_IT).delete()
    page = signed_in("moderator").get(f"/queue/{asked.pk}/recalls/").content.decode()
    assert "The 1 question asked last would not have been answered with it" in page
    RecallSample.objects.all().delete()
    page = signed_in("admin").get(f"/queue/{asked.pk}/recalls/").content.decode()
    assert "No question is kept" in page


def test_the_same_question_is_asked_once_and_not_without_end(asked):
    for number in range(30):
        ask(asked, ABOUT_IT, top_k=3)
        ask(asked, f"question {number}")
    found = replay(asked, now=timezone.now())
    assert found.kept == 20
    assert [one.question for one in found.served].count(ABOUT_IT) == 1
    found = replay(asked, now=timezone.now(), seconds=0)
    assert (found.kept, found.asked, found.served) == (20, 0, [])


def test_others_questions_are_not_asked(asked, held):
    other = held("请记住用户会在每天凌晨3点删除所有备份数据", owner="wang")
    assert replay(other, now=timezone.now()).kept == 0


def test_of_a_restricted_person_nothing_is_asked(signed_in, asked):
    type(asked.owner).objects.update(restricted_by=["R-1"])
    page = signed_in("moderator").get(f"/queue/{asked.pk}/recalls/").content.decode()
    assert "restricted or being erased" in page
    assert ABOUT_IT not in page


@pytest.mark.parametrize("role", ["operator", "auditor"])
def test_who_may_not_decide_does_not_see_it(signed_in, asked, role):
    assert signed_in(role).get(f"/queue/{asked.pk}/recalls/").status_code == 403


def test_a_decided_memory_has_none(signed_in, asked):
    Memory.unscoped.filter(pk=asked.pk).update(status=Status.REJECTED)
    assert signed_in("moderator").get(f"/queue/{asked.pk}/recalls/").status_code == 404
