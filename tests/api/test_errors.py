import re
from pathlib import Path

import pytest
from django.db import DataError, OperationalError

from api.errors import DRF_PARTS, parts_of
from api.middleware import CODES
from api.parsers import REASONS
from memory_core.exceptions import MnemeError
from tests.api.client import new_agent

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def kinds(parent: type[MnemeError]) -> set[type[MnemeError]]:
    children = set(parent.__subclasses__())
    return children.union(*(kinds(child) for child in children))


def test_every_code_is_on_the_page_of_errors():
    documented = set(re.findall(r"`([a-z_0-9]+)`", PAGE.read_text()))
    used = {kind.code for kind in kinds(MnemeError)} | set(REASONS)
    used |= {code for code, _ in DRF_PARTS.values()} | set(CODES.values())
    assert used <= documented, used - documented


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OperationalError("DETAIL: secret words"), 503),
        (DataError("invalid input: secret words"), 422),
        (RuntimeError("secret words"), 500),
    ],
)
def test_what_a_library_says_is_not_passed_on(error: Exception, status: int):
    parts = parts_of(error)
    assert parts["status"] == status
    assert "secret words" not in str(parts)


@pytest.mark.parametrize("path", ["/v1/nowhere", "/v1/me/", "/v1/sessions/a/b/c/d"])
def test_a_problem_has_the_length_that_it_says(client, path):
    """Django measures its page before it becomes a problem."""
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"
    assert answer["Content-Length"] == str(len(answer.content))


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["//v1/memory/save", "///compat/mem0/v1/memories/"])
def test_a_base_url_that_ends_with_a_slash_is_answered_with_a_problem(client, path):
    answer = client.get(f"http://testserver{path}")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "not_found"


@pytest.mark.django_db
def test_a_thousand_unknown_fields_are_not_all_named():
    body = {f"field{number}": 1 for number in range(1000)}
    answer = new_agent().call("POST", "/v1/memory/recall", body)
    assert answer.status_code == 422
    assert answer.json()["code"] == "unknown_field"
    assert len(answer.json()["errors"]) == 100


@pytest.mark.django_db
def test_the_name_of_a_session_is_not_logged(caplog):
    answer = new_agent().get("/v1/sessions/tel-13800138000", owner_id="ming")
    assert answer.status_code == 404
    assert "13800138000" not in caplog.text


@pytest.mark.django_db
def test_a_field_that_only_the_core_can_judge_is_named_like_any_other():
    turn = {"owner_id": "lin", "messages": [{"role": "user", "content": "Hello"}]}
    agent, path = new_agent(), "/v1/sessions/talk/messages"
    for part in range(5):
        body = {**turn, "state": {f"part{part}": "x" * 15_000}}
        refused = agent.call("PUT", path, body)
    assert refused.status_code == 422
    problem = refused.json()
    assert "field" not in problem
    assert problem["errors"] == [
        {"field": "state", "code": "invalid", "message": problem["detail"]}
    ]
