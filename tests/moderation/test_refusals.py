"""What is refused before anybody signed in still gets a page, or a problem."""

import pytest

pytestmark = pytest.mark.django_db

MANY = {f"field{number}": "1" for number in range(2_000)}


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/nowhere"])
def test_a_page_under_an_unknown_name_says_which_setting_lists_them(client, path):
    answer = client.get(path, headers={"host": "mneme.example"})
    assert answer.status_code == 400
    assert "MNEME_ALLOWED_HOSTS" in answer.content.decode()
    assert "mneme.example" not in answer.content.decode()


@pytest.mark.parametrize(
    "path", ["/v1/me", "/compat/mem0/v1/ping/", "/healthz", "/metrics"]
)
def test_an_agent_under_an_unknown_name_gets_a_problem(client, path):
    answer = client.get(path, headers={"host": "mneme.example", "x-request-id": "r1"})
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == "unknown_host"
    assert "MNEME_ALLOWED_HOSTS" in problem["detail"]
    assert problem["request_id"] == answer["X-Request-ID"] == "r1"


@pytest.mark.parametrize("name", ["", "a b", "localhost:x", "[::1", "ü.example"])
def test_a_name_that_is_none_is_refused_likewise(client, name):
    answer = client.get("/v1/me", headers={"host": name})
    assert answer.status_code == 400
    assert answer.json()["code"] == "unknown_host"


def test_a_form_with_too_many_fields_is_a_bad_request(client):
    answer = client.post("/accounts/login/", MANY)
    assert answer.status_code == 400
    assert "could not be understood" in answer.content.decode()


def test_a_refused_page_keeps_the_chosen_look(client):
    client.cookies["theme"] = "dark"
    answer = client.get("/", headers={"host": "mneme.example"})
    assert 'data-theme="dark"' in answer.content.decode()
