from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from api import throttling
from memory_core.actions import tokens
from memory_core.contracts.callers import Actor
from memory_core.contracts.tokens import new_secret
from memory_core.models import AuditEntry, Namespace, Token
from tests.api.buckets import spend_all_of, until_refused
from tests.api.client import HttpAgent, new_agent
from tests.factories import make_token

pytestmark = pytest.mark.django_db
BY = Actor("operator:test")


def parts(answer) -> tuple:
    """Return what a caller sees, without what differs in every answer."""
    body = {k: v for k, v in answer.json().items() if k != "request_id"}
    headers = {k: v for k, v in answer.headers.items() if k != "X-Request-ID"}
    headers.pop("Content-Length", None)
    return answer.status_code, body, headers


def drain(kind: str, key: int) -> None:
    """Leave a little in a bucket that fills with one request a second."""
    throttling.charge([throttling.Bucket(kind, key, 1, cost=195)])


def test_me_tells_a_token_who_it_is():
    agent = new_agent(name="ann", shared={"team": "r"}, owner_claim="shop-*", rate=7)
    told = agent.get("/v1/me").json()
    assert told["agent"] == "ann"
    assert told["namespaces"] == [
        {"name": "agent:ann", "can_read": True, "can_write": True},
        {"name": "team", "can_read": True, "can_write": False},
    ]
    assert told["owner_claim"] == "shop-*"
    assert told["limits"] == {"requests_per_second": 7, "burst": 200}


def test_unknown_malformed_expired_and_revoked_tokens_are_refused_alike():
    expired, revoked = make_token(), make_token()
    Token.objects.filter(prefix=expired[:12]).update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    tokens.revoke(
        token=Token.objects.get(prefix=revoked[:12]), by=BY, now=timezone.now()
    )
    headers = [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": f"Basic {make_token()}"},
        {"Authorization": f"Token {make_token()}"},
        *(
            {"Authorization": f"Bearer {t}"}
            for t in ("x", new_secret(), expired, revoked)
        ),
    ]
    answers = [parts(Client().get("/v1/me", headers=h)) for h in headers]
    assert answers[0][0] == 401
    assert answers[0][2]["WWW-Authenticate"] == 'Bearer realm="mneme"'
    assert all(answer == answers[0] for answer in answers)


def test_a_token_outside_the_authorization_header_is_not_looked_at():
    token = make_token()
    client = Client()
    client.cookies["token"] = token
    assert (
        client.get("/v1/me", {"token": token, "access_token": token}).status_code == 401
    )


def test_a_call_without_its_scope_is_forbidden_and_audited():
    agent = new_agent(scopes=("recall",))
    answer = agent.call("POST", "/v1/memory/save", {"owner_id": "u", "content": "c"})
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    assert answer.json()["scope"] == "save"
    entry = AuditEntry.objects.latest("id")
    assert (entry.action, entry.outcome) == ("access.denied", "denied")
    assert entry.request_id == answer["X-Request-ID"]
    assert entry.actor_token == agent.token[:12]


def test_the_callers_request_id_comes_back():
    answer = new_agent().call("GET", "/v1/me", **{"X-Request-ID": "order-17:a.b"})
    assert answer["X-Request-ID"] == "order-17:a.b"


@pytest.mark.parametrize("sent", ["a b", "<script>", "x" * 101, "ä", "a\x1b[31m", ""])
def test_a_request_id_that_could_harm_a_log_is_replaced(sent: str):
    answer = HttpAgent("").call("GET", "/v1/me", **{"X-Request-ID": sent})
    assert answer["X-Request-ID"] not in {sent, ""}
    assert answer.json()["request_id"] == answer["X-Request-ID"]


def test_a_token_over_its_rate_is_told_when_to_come_back():
    agent = new_agent(rate=1)
    answers = until_refused(lambda _: agent.get("/v1/me"))
    assert {a.status_code for a in answers[:200]} == {200}
    assert answers[-1].status_code == 429
    assert answers[-1].json()["code"] == "rate_limited"
    assert int(answers[-1]["Retry-After"]) >= 1


def test_another_address_in_a_header_does_not_lift_the_limit():
    agent = new_agent(rate=1)
    drain("token", Token.objects.get(prefix=agent.token[:12]).pk)
    answers = until_refused(
        lambda n: agent.call("GET", "/v1/me", **{"X-Forwarded-For": f"10.0.0.{n}"})
    )
    assert answers[-1].status_code == 429


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        ("recall", {"owner_id": "u", "query": "q"}),
        ("recall", {"owner_id": "u"}),
        ("save/batch", {"items": [{}]}),
        ("update", {}),
    ],
)
def test_every_request_costs_its_token_even_a_malformed_one(verb: str, body: dict):
    agent = new_agent(rate=1)
    drain("token", Token.objects.get(prefix=agent.token[:12]).pk)
    answers = until_refused(lambda _: agent.post(verb, **body))
    assert answers[0].status_code != 429
    assert answers[-1].status_code == 429


def test_a_batch_costs_its_items():
    agent = new_agent(rate=1)
    items = [{"owner_id": "u"}] * 150
    assert agent.post("save/batch", items=items).status_code == 200
    assert agent.post("save/batch", items=items).status_code == 429
    assert agent.post("save/batch", items=items[:40]).status_code == 200


@pytest.mark.usefixtures("vector_space")
def test_a_namespace_that_is_flooded_does_not_starve_another():
    shared = {"busy": "rw", "calm": "rw"}
    flooding, other = (new_agent(shared=shared) for _ in range(2))
    Namespace.objects.update(rate=1)
    body = {"owner_id": "u", "query": "q"}
    drain("namespace", Namespace.objects.get(name="busy").pk)
    asked = until_refused(
        lambda _: flooding.post("recall", **body, namespaces=["busy"])
    )
    assert (asked[0].status_code, asked[-1].status_code) == (200, 429)
    spend_all_of("namespace", Namespace.objects.get(name="busy").pk)
    assert other.post("recall", **body, namespaces=["busy"]).status_code == 429
    assert other.post("recall", **body, namespaces=["calm"]).status_code == 200
