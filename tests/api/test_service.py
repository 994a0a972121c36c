import pytest
from django.test import Client, override_settings

from memory_core import valkey
from memory_core.contracts.health import HEARTBEAT_KEY
from tests.api.client import new_agent

pytestmark = pytest.mark.django_db


def test_liveness_needs_no_token():
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})


def test_readiness_names_the_worker_while_it_is_silent():
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["worker"] == "silent"
    assert answer.json()["checks"]["database"] == "ok"
    assert answer.json()["checks"]["queue"] == "ok"


def test_readiness_is_there_when_every_part_answers(vector_space):
    valkey.client().set(HEARTBEAT_KEY, 1)
    answer = Client().get("/readyz")
    assert answer.json() == {
        "status": "ready",
        "checks": {
            "database": "ok",
            "queue": "ok",
            "screening": "ok",
            "embedding": "ok",
            "worker": "ok",
        },
    }


def test_metrics_need_the_scope_admin():
    assert Client().get("/metrics").status_code == 401
    assert new_agent().get("/metrics").status_code == 403
    shown = new_agent(scopes=("admin",)).get("/metrics")
    assert shown.status_code == 200
    assert "mneme_http_answers_total" in shown.content.decode()


def test_prometheus_has_a_token_of_its_own():
    with override_settings(METRICS_TOKEN="let-me-count"):
        shown = Client().get(
            "/metrics", headers={"Authorization": "Bearer let-me-count"}
        )
        refused = Client().get("/metrics", headers={"Authorization": "Bearer let-me"})
    assert (shown.status_code, refused.status_code) == (200, 401)


def test_metrics_name_no_owner_and_no_namespace():
    agent = new_agent(scopes=("admin", "recall"), shared={"canary-space": "r"})
    agent.get("/v1/memory", owner_id="canary-owner")
    agent.get("/v1/memory/canary-path/history", owner_id="canary-owner")
    assert "canary" not in agent.get("/metrics").content.decode()


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/nothing", "/v1/me/", "/compat/x", "/v1/memory/save/"]
)
def test_a_path_that_does_not_exist_is_a_problem_too(path: str):
    answer = new_agent().get(path)
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    "method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "X-Y"]
)
def test_another_method_is_refused_without_repeating_its_name(method: str):
    answer = new_agent().call(method, "/v1/me")
    assert answer.status_code == 405
    assert answer.json()["code"] == "method_not_allowed"
    assert "GET" in answer["Allow"]


def test_a_method_in_a_header_changes_nothing():
    agent = new_agent()
    answer = agent.call("GET", "/v1/me", **{"X-HTTP-Method-Override": "DELETE"})
    assert answer.status_code == 200


def test_the_accept_header_decides_nothing():
    answer = new_agent().call("GET", "/v1/me", Accept="text/html")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


def test_answers_about_people_are_not_cached():
    assert new_agent().get("/v1/me")["Cache-Control"] == "no-store"
