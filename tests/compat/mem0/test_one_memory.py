"""Paths that name a memory by its id only, and those around."""

from uuid import uuid4

import pytest

from memory_core.models import Feedback, Memory
from tests.compat.mem0.client import Mem0, new_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]


def test_a_memory_is_changed_and_tells_what_it_said_before(mem0: Mem0):
    memory_id = mem0.add_raw(
        "the car is red", user_id="u", agent_id="a", metadata={"k": "v"}
    )
    _, changed = mem0.one("PUT", memory_id, {"text": "the car is green"})
    assert (changed["id"], changed["memory"]) == (memory_id, "the car is green")
    history = mem0.ok("GET", f"v1/memories/{memory_id}/history/")
    assert [(h["event"], h["old_memory"], h["new_memory"]) for h in history] == [
        ("ADD", None, "the car is red"),
        ("UPDATE", "the car is red", "the car is green"),
    ]
    assert mem0.ok("GET", f"memories/{memory_id}/history") == history


def test_new_metadata_keep_whose_memory_it_is(mem0: Mem0):
    memory_id = mem0.add_raw("the car is red", user_id="u", agent_id="a")
    mem0.one("PUT", memory_id, {"metadata": {"new": 1}})
    _, one = mem0.one("GET", memory_id)
    assert (one["metadata"], one["agent_id"]) == ({"new": 1}, "a")


def test_an_expiration_date_is_set_and_taken_away(mem0: Mem0):
    memory_id = mem0.add_raw("the car is red", user_id="u")
    for day in ("2031-02-28", None):
        _, one = mem0.one("PUT", memory_id, {"expiration_date": day})
        assert one["expiration_date"] == day


def test_a_change_of_nothing_is_refused(mem0: Mem0):
    memory_id = mem0.add_raw("the car is red", user_id="u")
    assert mem0.one("PUT", memory_id, {})[0] == 422


def test_a_deleted_memory_is_gone(mem0: Mem0):
    memory_id = mem0.add_raw("the car is red", user_id="u")
    assert mem0.one("DELETE", memory_id)[0] == 200
    for method in ("GET", "DELETE"):
        status, answer = mem0.one(method, memory_id)
        assert (status, answer["code"]) == (404, "not_found")
    assert not Memory.unscoped.exists()


def test_what_a_memory_replaced_goes_with_it_if_that_is_asked(mem0: Mem0):
    mem0.add("I live in Oslo", user_id="u")
    [newer] = mem0.add("I live in Berlin now", user_id="u")["results"]
    assert Memory.unscoped.count() == 2
    mem0.ok("DELETE", f"v1/memories/{newer['id']}/", delete_linked="true")
    assert not Memory.unscoped.exists()


def test_many_are_changed_and_deleted_at_once(mem0: Mem0):
    ids = [mem0.add_raw(f"number {n} is odd", user_id="u") for n in (1, 3)]
    entries = [{"memory_id": one, "text": f"changed {one}"} for one in ids]
    missing = str(uuid4())
    answer = mem0.ok(
        "PUT",
        "v1/batch/",
        {"memories": [*entries, {"memory_id": missing, "text": "x"}]},
    )
    assert answer["failed"] == [{"memory_id": missing, "code": "not_found"}]
    assert set(mem0.listed({"user_id": "u"})) == {f"changed {one}" for one in ids}
    gone = [{"memory_id": one} for one in ids]
    mem0.ok("DELETE", "v1/batch/", {"memories": gone})
    assert mem0.listed({"user_id": "u"}) == []


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ({"user_id": "u"}, {"C"}),
        ({"user_id": "u", "run_id": "r"}, {"B", "C"}),
        ({"filters": "{'user_id': 'u'}"}, {"C"}),
        ({"filters": '{"user_id": "u", "run_id": "r"}'}, {"B", "C"}),
    ],
)
def test_everything_of_somebody_goes_and_nothing_else(
    mem0: Mem0, query: dict[str, str], left: set[str]
):
    mem0.add_raw("A", user_id="u", run_id="r")
    mem0.add_raw("B", user_id="u")
    mem0.add_raw("C", user_id="other")
    mem0.ok("DELETE", "v1/memories/", **query)
    assert set(Memory.unscoped.values_list("content", flat=True)) == left


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"user_id": "*"},
        {"user": "u"},
        {"filters": "f(x)"},
        {"filters": "(" * 900},
        {"filters": "{1: 2}"},
        {"filters": "{'user_id': 'u', 1: 2}"},
        {"filters": '{"user_id": "u\\u0000"}'},
        {"filters": '{"user_id": "\\ud800"}'},
    ],
)
def test_a_deletion_that_names_nobody_deletes_nothing(
    mem0: Mem0, query: dict[str, str]
):
    mem0.add_raw("A", user_id="u")
    status, _ = mem0.call("DELETE", "v1/memories/", **query)
    assert status == 422
    assert Memory.unscoped.count() == 1


def test_the_entities_are_those_that_the_agent_may_read(mem0: Mem0):
    mem0.add_raw("A", user_id="u")
    mem0.add_raw("B", run_id="r")
    new_client().add_raw("C", user_id="hidden")
    found = mem0.ok("GET", "v1/entities/")["results"]
    assert [(one["type"], one["name"]) for one in found] == [
        ("run", "r"),
        ("user", "u"),
    ]
    mem0.ok("DELETE", "v2/entities/run/r/")
    assert [one["name"] for one in mem0.ok("GET", "v1/entities/")["results"]] == ["u"]


def test_the_entities_need_the_right_to_export():
    mem0 = new_client(scopes=("recall", "save"))
    status, answer = mem0.call("GET", "v1/entities/")
    assert (status, answer["scope"]) == (403, "export")


@pytest.mark.parametrize(
    ("method", "path", "scopes"),
    [
        ("POST", "v3/memories/add/", ("recall", "delete")),
        ("POST", "v3/memories/search/", ("save", "delete")),
        ("POST", "v3/memories/", ("save", "delete")),
        ("GET", "v1/memories/", ("save", "delete")),
        ("POST", "v1/memories/", ("recall", "delete")),
        ("DELETE", "v1/memories/", ("recall", "save")),
        ("DELETE", "memories/x", ("recall", "save")),
        ("PUT", "memories/x", ("recall", "delete")),
        ("PUT", "v1/batch/", ("recall", "delete")),
        ("DELETE", "v1/batch/", ("recall", "save")),
        ("POST", "v1/feedback/", ("recall", "delete")),
        ("DELETE", "v2/entities/user/u/", ("recall", "save")),
    ],
)
def test_every_call_needs_its_scope(method: str, path: str, scopes: tuple[str, ...]):
    status, answer = new_client(scopes=scopes).call(method, path, {})
    assert (status, answer["code"]) == (403, "scope_missing")


@pytest.mark.parametrize(
    ("path", "scopes"),
    [("v1/memories/", ("save",)), ("v1/entities/", ("recall", "save"))],
)
def test_asking_for_the_head_alone_needs_the_scope_too(
    path: str, scopes: tuple[str, ...]
):
    assert new_client(scopes=scopes).head(path, user_id="u") == 403


def test_a_verdict_is_kept(mem0: Mem0):
    memory_id = mem0.add_raw("A", user_id="u")
    body = {"memory_id": memory_id, "feedback": "VERY_NEGATIVE"}
    assert mem0.ok("POST", "v1/feedback/", body)["feedback"] == "VERY_NEGATIVE"
    assert Feedback.objects.get().verdict == "wrong"
    assert mem0.call("POST", "v1/feedback/", {**body, "feedback": "so so"})[0] == 422


def test_an_event_tells_what_came_of_an_add(mem0: Mem0):
    added = mem0.add("I love jazz", user_id="u")
    event = mem0.ok("GET", f"v1/event/{added['event_id']}/")
    assert event["status"] == "SUCCEEDED"
    assert [one["memory"] for one in event["results"]] == ["I love jazz"]
    assert mem0.call("GET", f"v1/event/{uuid4()}/")[0] == 404


def test_a_ping_names_agent_and_namespace(mem0: Mem0):
    answer = mem0.ok("GET", "v1/ping/")
    assert answer["project_id"].startswith("agent")
    assert set(answer) == {"status", "org_id", "project_id", "user_email"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Token {}"},
        {"Authorization": "Bearer {}"},
        {"X-API-Key": "{}"},
    ],
)
def test_the_token_comes_in_any_header_of_theirs(mem0: Mem0, headers: dict[str, str]):
    sent = {name: text.format(mem0.token) for name, text in headers.items()}
    assert mem0.client.get("/compat/mem0/v1/ping/", headers=sent).status_code == 200
    wrong = {name: text.format("mnm_wrong") for name, text in headers.items()}
    answer = mem0.client.get("/compat/mem0/v1/ping/", headers=wrong)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


def test_our_own_api_takes_the_token_where_it_always_did(mem0: Mem0):
    for headers in (
        {"Authorization": f"Token {mem0.token}"},
        {"X-API-Key": mem0.token},
    ):
        assert mem0.client.get("/v1/me", headers=headers).status_code == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "v1/exports/"),
        ("POST", "v1/exports/get/"),
        ("POST", "v1/summary/"),
        ("POST", "reset"),
        ("GET", "configure"),
        ("POST", "configure"),
        ("GET", "api/v1/orgs/organizations/mneme/projects/p/"),
        ("PUT", "api/v1/webhooks/3/"),
        ("GET", "v2/profiles/jobs/"),
        ("GET", "v2/entities/user/u/profile/"),
        ("GET", "v9/anything"),
        ("DELETE", ""),
    ],
)
def test_what_is_not_offered_says_so_in_a_sentence(mem0: Mem0, method: str, path: str):
    status, answer = mem0.call(method, path)
    assert (status, answer["code"]) == (501, "not_offered")
    assert answer["detail"].endswith(".")
    nobody = Mem0("mnm_wrong")
    assert nobody.call(method, path)[0] == 401
