"""Foreign is missing: every route, from every side, looked at as an attacker would.

The list of routes comes from the URL configuration: a route that is new has to be
described here, or `test_every_route_is_described` fails.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.urls import URLPattern, get_resolver

from api.compat.mem0.urls import urlpatterns as mem0_patterns
from api.urls import urlpatterns
from tests.api.client import HttpAgent, new_agent
from tests.compat.mem0.requests import (
    MEM0_NOT_ABOUT_OWNERS,
    MEM0_OWNERS,
    MEM0_WITH_ID,
    MEM0_WITH_OWNER,
    MEM0_WRITING,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

ALL = ("recall", "save", "delete", "consolidate", "export", "source:user_input")
NOT_ABOUT_OWNERS = {"me", "schema", "docs", "healthz", "readyz", "metrics"}
REVIEWING = {"review-queue", "review-approve", "review-reject"}  # see test_review
FILES = {"export", "import", "snapshots"}  # the agent's own, see below and test_files
INSIDER = "the right namespace, another owner"


@dataclass(frozen=True)
class Target:
    """What an attacker names in a request."""

    owner_id: str
    memory_id: UUID
    recall_id: UUID
    run_id: UUID
    session_id: str
    snapshot_id: UUID


def by_body(verb: str, **more: Any):
    def request(agent: HttpAgent, at: Target) -> Any:
        body = {"owner_id": at.owner_id, "memory_id": at.memory_id, **more}
        return agent.post(verb, **body)

    return request


def ask(agent: HttpAgent, at: Target) -> Any:
    body = {"owner_id": at.owner_id, "query": "favourite colour", "top_k": 100}
    return agent.post("recall", **body, include=["archived"])


def forget(agent: HttpAgent, at: Target) -> Any:
    body = {"owner_id": at.owner_id, "query": "favourite colour"}
    return agent.post("forget", **body, dry_run=True)


def report_used(agent: HttpAgent, at: Target) -> Any:
    used = [at.memory_id]
    return agent.post(
        "feedback", owner_id=at.owner_id, recall_id=at.recall_id, used=used
    )


def end_session(agent: HttpAgent, at: Target) -> Any:
    body = {"owner_id": at.owner_id, "encode": False}
    return agent.call("POST", f"/v1/sessions/{at.session_id}/close", body)


def ask_for_context(agent: HttpAgent, at: Target) -> Any:
    body = {"owner_id": at.owner_id, "session_id": at.session_id}
    return agent.post("context", **body, moment="turn", query="favourite colour")


# Routes that take an id: the same request with a made-up id must be answered alike.
WITH_ID = {
    "memory": lambda a, t: a.get(f"/v1/memory/{t.memory_id}", owner_id=t.owner_id),
    "history": lambda a, t: a.get(
        f"/v1/memory/{t.memory_id}/history", owner_id=t.owner_id
    ),
    "update": by_body("update", content="The favourite colour is grey now"),
    "rollback": by_body("rollback", version=1),
    "restore": by_body("restore"),
    "unmerge": by_body("unmerge"),
    "delete": by_body("delete"),
    "feedback": by_body("feedback", verdict="wrong"),
    "consolidate-run": lambda a, t: a.get(f"/v1/memory/consolidate/{t.run_id}"),
    "session": lambda a, t: a.get(f"/v1/sessions/{t.session_id}", owner_id=t.owner_id),
    "session-close": end_session,
    "snapshot": lambda a, t: a.get(f"/v1/snapshots/{t.snapshot_id}"),
    "snapshot-content": lambda a, t: a.get(f"/v1/snapshots/{t.snapshot_id}/content"),
}
# Routes that name an owner only: the same request for an unknown owner, likewise.
WITH_OWNER = {
    "recall": ask,
    "memories": lambda a, t: a.get("/v1/memory", owner_id=t.owner_id),
    "forget": forget,
    "forget-owner": lambda a, t: a.post("forget-owner", owner_id=t.owner_id),
    "context": ask_for_context,
}
# Routes that write: what they make belongs to the caller's own namespaces.
WRITING = {"save", "save-batch", "consolidate", "encode", "session-messages"}


def seen(answer: Any) -> tuple[int, Any, dict[str, str]]:
    """Return status, body and headers without what differs in every answer."""
    body = answer.json()
    for name in ("request_id", "recall_id", "recall_ids", "request"):
        if isinstance(body, dict):
            body.pop(name, None)
    headers = {k: v for k, v in answer.headers.items() if k != "X-Request-ID"}
    return answer.status_code, body, headers


@pytest.fixture
def secret() -> Target:
    """A memory of owner `lin` in a namespace of one agent, with a recall and a run."""
    agent = new_agent(name="keeper", scopes=ALL, shared={"vault": "rw"})
    saved = agent.post(
        "save",
        owner_id="lin",
        namespace="vault",
        content="My favourite colour is blue",
        category="event",
        source={"kind": "user_input"},
    ).json()
    recalled = agent.post("recall", owner_id="lin", query="favourite colour").json()
    run = agent.post("consolidate", dry_run=True).json()
    said = [{"role": "user", "content": "let us talk about colours"}]
    body = {"owner_id": "lin", "messages": said}
    agent.call("PUT", "/v1/sessions/talk/messages", body)
    assert [m["memory_id"] for m in recalled["memories"]] == [saved["memory_id"]]
    snapshot = agent.call("POST", "/v1/snapshots", {}).json()
    return Target(
        "lin",
        UUID(saved["memory_id"]),
        UUID(recalled["recall_id"]),
        UUID(run["run_id"]),
        "talk",
        UUID(snapshot["snapshot_id"]),
    )


def attackers(secret: Target) -> Iterator[tuple[str, HttpAgent, str]]:
    """Yield who must not see the secret: a name, the agent, the owner it names."""
    yield "another agent", new_agent(scopes=ALL), "lin"
    shared = new_agent(scopes=ALL, shared={"elsewhere": "rw"})
    yield "an agent of another shared namespace", shared, "lin"
    insider = new_agent(scopes=ALL, shared={"vault": "rw"})
    yield INSIDER, insider, "mallory"
    bound = new_agent(scopes=ALL, shared={"vault": "rw"}, owner_claim="mal*")
    yield "a token bound to other owners", bound, "lin"


def made_up(owner_id: str) -> Target:
    return Target(owner_id, uuid4(), uuid4(), uuid4(), str(uuid4()), uuid4())


def test_every_route_is_described():
    named = {one.name for one in urlpatterns if isinstance(one, URLPattern)}
    assert named == {
        *WITH_ID,
        *WITH_OWNER,
        *WRITING,
        *REVIEWING,
        *FILES,
        *NOT_ABOUT_OWNERS,
    }
    assert get_resolver().url_patterns[0].url_patterns is urlpatterns
    assert {pattern.name for pattern in mem0_patterns} == {
        *MEM0_WITH_ID,
        *MEM0_WITH_OWNER,
        *MEM0_OWNERS,
        *MEM0_WRITING,
        *MEM0_NOT_ABOUT_OWNERS,
    }


def test_a_stranger_exports_nothing_of_it_and_sees_no_snapshot(secret: Target):
    for who, agent, owner_id in attackers(secret):
        sent = agent.get("/v1/memory/export", owner_id=owner_id)
        assert b"favourite colour" not in sent.getvalue(), who
        assert agent.get("/v1/snapshots").json() == {"snapshots": []}, who


@pytest.mark.parametrize("route", WITH_ID)
def test_a_foreign_id_is_answered_like_one_that_does_not_exist(
    route: str, secret: Target
):
    for who, agent, owner_id in attackers(secret):
        aimed = replace(secret, owner_id=owner_id)
        foreign = seen(WITH_ID[route](agent, aimed))
        missing = seen(WITH_ID[route](agent, made_up(owner_id)))
        assert foreign == missing, who
        assert foreign[0] == (200 if route == "delete" else 404), who
    assert is_untouched(secret)


@pytest.mark.parametrize("route", WITH_OWNER)
def test_a_foreign_owner_is_answered_like_one_that_does_not_exist(
    route: str, secret: Target
):
    for who, agent, owner_id in attackers(secret):
        aimed = replace(secret, owner_id=owner_id)
        foreign = seen(WITH_OWNER[route](agent, aimed))
        missing = seen(WITH_OWNER[route](agent, made_up("nobody-at-all")))
        assert foreign == missing, who
        assert foreign[0] == 200 or route == "forget-owner", who
    assert is_untouched(secret)


@pytest.mark.parametrize("route", MEM0_WITH_ID)
def test_a_foreign_id_of_mem0_is_answered_like_one_that_does_not_exist(
    route: str, secret: Target
):
    strangers = [one for one in attackers(secret) if one[0] != INSIDER]
    for request in MEM0_WITH_ID[route]:
        for who, agent, _ in strangers:
            foreign, missing = (
                str(seen(request(agent, at))).replace(str(at.memory_id), "the id")
                for at in (secret, made_up("lin"))
            )
            assert foreign == missing, who
            assert foreign.startswith("(200" if route == "mem0-batch" else "(404"), who
    assert is_untouched(secret)


@pytest.mark.parametrize("route", MEM0_WITH_OWNER)
def test_a_foreign_owner_of_mem0_is_answered_like_one_that_does_not_exist(
    route: str, secret: Target
):
    for request in MEM0_WITH_OWNER[route]:
        for who, agent, owner_id in attackers(secret):
            foreign = seen(request(agent, replace(secret, owner_id=owner_id)))
            missing = seen(request(agent, made_up("nobody-at-all")))
            assert foreign == missing, who
            assert foreign[0] == 200, who
    assert is_untouched(secret)


def test_whoever_reads_a_namespace_sees_who_is_in_it_and_nobody_else(secret: Target):
    for who, agent, _ in attackers(secret):
        found = agent.call("GET", "/compat/mem0/v1/entities/").json()["results"]
        assert [one["name"] for one in found] == (["lin"] if who == INSIDER else [])


def test_a_recall_of_somebody_else_takes_no_report(secret: Target):
    for who, agent, owner_id in attackers(secret):
        aimed = replace(secret, owner_id=owner_id)
        foreign = seen(report_used(agent, aimed))
        assert foreign == seen(report_used(agent, made_up(owner_id))), who


def test_naming_a_foreign_namespace_is_like_naming_none_that_exists(secret: Target):
    agent = new_agent(scopes=ALL)
    for name in ("vault", "agent:keeper", "no-such-namespace"):
        body = {"owner_id": "lin", "query": "colour", "namespaces": [name]}
        recalled = agent.post("recall", **body)
        assert (recalled.status_code, recalled.json()["memories"]) == (200, [])
        listed = agent.get("/v1/memory", owner_id="lin", namespaces=name)
        assert (listed.status_code, listed.json()["memories"]) == (200, [])
    refusals = [
        seen(agent.post("save", owner_id="lin", content="x", namespace=name))
        for name in ("vault", "agent:keeper", "no-such-namespace")
    ]
    assert refusals[0][0] == 403
    assert refusals[0] == refusals[1] == refusals[2]


def test_equal_texts_in_two_namespaces_know_nothing_of_each_other(secret: Target):
    saved = new_agent(scopes=ALL).post(
        "save",
        owner_id="lin",
        content="My favourite colour is blue",
        source={"kind": "user_input"},
    )
    assert (saved.status_code, saved.json()["event"]) == (201, "added")


def test_a_path_that_holds_no_id_is_not_found_like_any_other(secret: Target):
    agent = new_agent(scopes=ALL)
    expected = seen(agent.get(f"/v1/memory/{uuid4()}", owner_id="lin"))
    for text in ("1", "abc", str(secret.memory_id)[:-1], "%00", "..", "0" * 500):
        assert seen(agent.get(f"/v1/memory/{text}", owner_id="lin")) == expected


def is_untouched(secret: Target) -> bool:
    """Return whether the secret is still what its own agent saved."""
    insider = new_agent(scopes=ALL, shared={"vault": "r"})
    shown = insider.get(f"/v1/memory/{secret.memory_id}", owner_id="lin").json()
    return (shown["content"], shown["status"], shown["version"]) == (
        "My favourite colour is blue",
        "active",
        1,
    )
