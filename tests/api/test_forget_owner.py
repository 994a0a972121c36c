"""An agent passes on that somebody wants to be forgotten."""

import pytest
from django.db import ProgrammingError
from django.test import Client
from django.utils import timezone

from memory_core import isolation
from memory_core.models import AuditEntry
from moderation.actions import erasure_cases, erasure_intake
from moderation.models import (
    CaseEvent,
    CaseIdentifier,
    CaseLetter,
    CaseNote,
    ErasureCase,
)
from tests.api.client import new_agent
from tests.factories.world import BY

pytestmark = pytest.mark.django_db


def test_a_request_gets_a_reference_and_a_day():
    agent = new_agent(scopes=("delete",))
    answer = agent.post("forget-owner", owner_id="lin", language="zh-hans", law="pipl")
    assert answer.status_code == 202
    body = answer.json()
    case = ErasureCase.objects.get(ref=body["request"])
    assert body["due_on"] == case.due_on.isoformat()
    assert (case.channel, case.language, case.regime) == ("agent", "zh-hans", "pipl")
    assert AuditEntry.objects.filter(action="erasure.received").exists()


def test_asking_again_gives_the_same_reference():
    agent, other = new_agent(scopes=("delete",)), new_agent(scopes=("delete",))
    first = agent.post("forget-owner", owner_id="lin").json()
    assert agent.post("forget-owner", owner_id="lin").json() == first
    assert agent.post("forget-owner", owner_id="anna").json() != first
    foreign = other.post("forget-owner", owner_id="lin").json()
    assert foreign["request"] != first["request"]
    assert {**foreign, "request": ""} == {**first, "request": ""}


def test_a_repeated_request_is_answered_from_its_key():
    agent = new_agent(scopes=("delete",))
    path, key = "/v1/memory/forget-owner", {"Idempotency-Key": "k1"}
    first = agent.call("POST", path, {"owner_id": "lin"}, **key)
    ErasureCase.objects.update(created_by="somebody else")
    again = agent.call("POST", path, {"owner_id": "lin"}, **key)
    assert (again.status_code, again.json()) == (202, first.json())
    assert agent.call("POST", path, {"owner_id": "x"}, **key).status_code == 409


def test_an_agent_has_so_many_open_requests_and_no_more(monkeypatch):
    monkeypatch.setattr(erasure_intake, "MOST_OPEN", 2)
    agent, other = new_agent(scopes=("delete",)), new_agent(scopes=("delete",))
    first = agent.post("forget-owner", owner_id="lin").json()
    agent.post("forget-owner", owner_id="anna")
    refused = agent.post("forget-owner", owner_id="tom")
    assert refused.status_code == 409
    assert refused.json()["code"] == "too_many_open_requests"
    assert agent.post("forget-owner", owner_id="lin").json() == first
    assert other.post("forget-owner", owner_id="tom").status_code == 202
    erasure_cases.withdraw(ref=first["request"], by=BY, now=timezone.now())
    assert agent.post("forget-owner", owner_id="tom").status_code == 202


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"scopes": ("save", "recall")}, "scope_missing"),
        ({"scopes": ("delete",), "owner_claim": "anna"}, "owner_not_allowed"),
    ],
)
def test_only_who_may_delete_for_the_owner_may_ask(options, code):
    answer = new_agent(**options).post("forget-owner", owner_id="lin")
    assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert not ErasureCase.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_database_itself_shows_an_agent_no_request_of_others():
    new_agent(scopes=("delete",)).post("forget-owner", owner_id="lin")
    with isolation.agent_transaction():
        assert not ErasureCase.objects.exists()
        assert not CaseIdentifier.objects.exists()
    for table in (CaseLetter, CaseNote, CaseEvent):
        with pytest.raises(ProgrammingError), isolation.agent_transaction():
            table.objects.exists()


def test_nobody_asks_without_a_token():
    path, body = "/v1/memory/forget-owner", {"owner_id": "lin"}
    sent = Client().post(path, body, content_type="application/json")
    assert sent.status_code == 401
