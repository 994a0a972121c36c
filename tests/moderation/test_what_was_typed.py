"""A form that is refused comes back as it was typed, and says what is wrong where."""

import re
from html import unescape

import pytest
from django.conf import settings

from memory_core.actions import agents
from memory_core.models import Agent, LegalHold, Namespace
from moderation.models import CaseLetter, ErasureCase
from tests.factories.world import BY
from tests.moderation.requests.desk import form

pytestmark = pytest.mark.django_db


def page_of(answer, *, status: int = 422) -> str:
    """Return the page, once each control names only parts that are there."""
    assert answer.status_code == status
    page = unescape(answer.content.decode())
    named = " ".join(re.findall(r'aria-describedby="([^"]*)"', page)).split()
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert set(named) <= set(ids)
    return page


def described(page: str, control: str) -> str:
    """Return the text that a control points to as its error."""
    (part,) = re.findall(rf'<div id="{control}_error">(.*?)</div>', page, re.DOTALL)
    text = re.sub(r"<[^>]+>", "", part)
    assert re.search(rf'aria-describedby="[^"]*{control}_error', page)
    return " ".join(text.split())


def test_an_agent_s_name_that_is_none_comes_back(signed_in):
    answer = signed_in("admin").post("/agents/register/", {"name": "two words"})
    page = page_of(answer)
    assert 'value="two words"' in page
    assert "slug" in described(page, "id_name")


def test_a_token_without_scopes_says_so_at_the_boxes(signed_in):
    client, agent = signed_in("admin"), agents.register(name="helper", by=BY)
    form = {"owner_claim": "lin*", "days": "soon", "rate": "10"}
    page = page_of(client.post(f"/agents/{agent.pk}/issue/", form))
    assert 'value="lin*"' in page
    assert described(page, "id_scopes") == "This field is required."
    assert described(page, "id_days") == "Enter a whole number."
    assert 'aria-describedby="id_days_helptext id_days_error"' in page


def test_a_grant_in_a_private_namespace_says_why_in_both_languages(signed_in):
    client, agent = signed_in("admin"), agents.register(name="helper", by=BY)
    typed = {"namespace": Agent.objects.get().namespace.name, "rights": "r"}
    place = f"/agents/{agent.pk}/grant/"
    page = page_of(client.post(place, typed))
    assert "belong to the agents' private" in described(page, "id_namespace")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    assert "私有命名空间" in page_of(client.post(place, typed))


def test_a_user_name_that_is_taken_says_so_at_the_field(signed_in):
    client = signed_in("admin")
    page = page_of(client.post("/team/add/", {"username": "admin", "role": "lead"}))
    assert "Somebody has this user name" in described(page, "id_username")
    assert 'value="admin"' in page


def test_a_policy_comes_back_in_its_own_row(signed_in):
    client = signed_in("admin")
    space = Namespace.objects.create(name="shop", kind="shared")
    other = Namespace.objects.create(name="other", kind="shared")
    typed = {"review_share": "7", "note": "more of them", "hold_inferences": "sample"}
    page = page_of(client.post(f"/team/policies/{space.pk}/", typed))
    assert 'value="more of them"' in page
    assert "less than or equal to 1" in described(page, f"id_{space.pk}_review_share")
    assert f"id_{other.pk}_review_share_error" not in page


def test_a_trust_that_is_none_is_named(signed_in, held):
    source = held().source_id
    answer = signed_in("admin").post(f"/sources/{source}/trust/", {"trust": "much"})
    assert "not one of the available" in described(page_of(answer), "id_trust")


def test_a_hold_over_nobody_known_comes_back(signed_in, held):
    client, memory = signed_in("compliance"), held()
    typed = {"owner_id": "nobody-known", "reason": "legal_claims"}
    page = page_of(client.post("/requests/holds/place/", typed))
    assert 'value="nobody-known"' in page
    assert described(page, "id_owner_id") == "There is nothing of that name."
    typed = {"memory_id": memory.pk, "reason": "legal_claims"}
    client.post("/requests/holds/place/", typed)
    release = f"/requests/holds/{LegalHold.objects.get().pk}/release/"
    page = page_of(client.post(release, {"reason": "so"}))
    assert "Why it ends: Select a valid choice." in page


@pytest.fixture
def case(signed_in):
    """A request, with somebody of compliance at it."""
    client = signed_in("compliance")
    place = client.post("/requests/new/", form())["Location"]
    client.post(f"{place}doubt/")
    return client, ErasureCase.objects.get(), place


def test_the_words_of_a_letter_come_back_when_its_day_is_none(case):
    client, row, place = case
    letter = CaseLetter.objects.filter(case=row).first()
    typed = {"text": "Dear Ms Chen, show us your card.", "sent_on": "soon"}
    page = page_of(client.post(f"{place}letters/{letter.pk}/", typed))
    assert "Dear Ms Chen, show us your card." in page
    assert "valid date" in described(page, f"letter{letter.pk}_sent_on")
    typed["sent_on"] = "1999-01-01"
    page = page_of(client.post(f"{place}letters/{letter.pk}/", typed))
    assert "Dear Ms Chen, show us your card." in page
    why = described(page, f"letter{letter.pk}_sent_on")
    assert why == "Name a day between the receipt and today."


def test_the_words_for_a_letter_that_was_sent_meanwhile_are_shown(case):
    client, row, place = case
    letter = CaseLetter.objects.filter(case=row).first()
    sent = {"text": "The first words.", "sent_on": form()["received_on"]}
    assert client.post(f"{place}letters/{letter.pk}/", sent).status_code == 302
    answer = client.post(f"{place}letters/{letter.pk}/", {"text": "Later words."})
    page = page_of(answer, status=409)
    assert "This letter was sent already" in page
    assert "Later words." in page


def test_a_day_that_the_law_does_not_take_keeps_the_rest_of_the_form(case):
    client, _row, place = case
    typed = {"reason": "complex", "told_on": "1999-01-01"}
    page = page_of(client.post(f"{place}extend/", typed))
    assert "The person must be told between the receipt" in page
    assert 'value="1999-01-01"' in page
    page = page_of(client.post(f"{place}extend/", {**typed, "told_on": "soon"}))
    assert "The person was told on: Enter a valid date." in page


def test_a_recipient_without_a_result_says_so_and_keeps_the_day(case):
    client, row, place = case
    client.post(f"{place}recipient/", {"tab": "recipients", "name": "Partner Ltd"})
    one = row.recipients.get(name="Partner Ltd")
    typed = {"tab": "recipients", "recipient": one.pk, "told_on": "2001-02-03"}
    page = page_of(client.post(f"{place}recipient/", typed))
    assert "Choose what came of it, and a day up to today." in page
    assert 'value="2001-02-03"' in page


def test_a_new_request_without_anybody_or_in_the_future_says_which(signed_in):
    client = signed_in("compliance")
    future = form(received_on="2999-01-01", contact="by pigeon")
    page = page_of(client.post("/requests/new/", future))
    assert described(page, "id_received_on") == "That day lies in the future."
    assert 'value="by pigeon"' in page
