"""From anywhere to a page or to one thing, as far as one's rights reach."""

import pytest

from memory_core.models import Agent, Source

pytestmark = pytest.mark.django_db


def reached(client, text: str) -> str:
    return client.get("/go/", {"q": text}).headers.get("Location", "")


def test_a_page_is_found_by_its_name(signed_in):
    client = signed_in("moderator")
    assert reached(client, "half-lives") == "/categories/"
    assert "Nothing is called so" in client.get("/go/?q=zzz").content.decode()


def test_a_page_without_the_right_is_not_offered(signed_in):
    assert reached(signed_in("moderator"), "audit log") == ""
    assert reached(signed_in("auditor"), "audit log") == "/audit/"


def test_a_memory_is_found_by_its_id_or_the_beginning_of_it(signed_in, held):
    memory, client = held(), signed_in("moderator")
    there = f"/memories/{memory.pk}/"
    assert reached(client, str(memory.pk)) == there
    assert reached(client, memory.pk.hex[:20].upper()) == there
    assert reached(client, memory.content) == ""


def test_a_source_is_found_by_its_name_and_by_its_number(signed_in, held):
    memory, client = held(), signed_in("moderator")
    there = f"/sources/{memory.source_id}/"
    assert reached(client, "web") == there
    assert reached(client, str(memory.source_id)) == there
    twin = Source.objects.get(pk=memory.source_id)
    twin.pk, twin.name, twin.key = None, "web-2", "web-2"
    twin.save()
    page = client.get("/go/", {"q": "we"}).content.decode()
    assert f'href="{there}"' in page
    assert f'href="/sources/{twin.pk}/"' in page


def test_an_agent_is_found_by_those_who_may_see_agents(signed_in, held):
    held()
    agent = Agent.objects.get()
    assert reached(signed_in("operator"), agent.name) == f"/agents/{agent.pk}/"
    assert reached(signed_in("moderator"), agent.name) == ""


def test_a_request_is_found_by_its_reference(signed_in):
    client = signed_in("compliance")
    form = {
        "regime": "gdpr",
        "requester": "subject",
        "channel": "email",
        "identifiers": "owner: anna",
        "received_on": "2026-01-01",
        "scope": "everything",
        "language": "en",
        "name": "Anna",
        "contact": "anna@example.org",
    }
    made = client.post("/requests/new/", form)
    there = made.headers["Location"]
    assert reached(client, there.split("/")[2].lower()) == there
    assert reached(signed_in("operator"), there.split("/")[2]) == ""


def test_a_fragment_lists_what_fits_and_leads_nowhere_by_itself(signed_in):
    answer = signed_in("moderator").get(
        "/go/", {"q": "memories"}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 200
    assert 'href="/memories/"' in answer.content.decode()
    assert "<html" not in answer.content.decode()
