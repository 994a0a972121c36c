"""The OpenAPI document: kept as a snapshot, shown offline, and true."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import URLPattern
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.core import NotSet

from api.urls import urlpatterns
from api.views.schema import document
from tests.api.client import HttpAgent, new_agent

SNAPSHOT = Path(__file__).parents[2] / "docs" / "openapi.json"
REFRESH = "manage.py spectacular --format openapi-json --file docs/openapi.json"
NOT_IN_IT = {"schema", "docs"}
FUZZED = 25  # examples an operation; the long run takes more


def test_the_document_is_the_committed_one():
    current = json.loads(json.dumps(document()))
    assert current == json.loads(SNAPSHOT.read_text()), f"if meant, run {REFRESH}"


def test_every_route_is_in_the_document():
    own = [p for p in urlpatterns if isinstance(p, URLPattern)]
    expected = {p.pattern.describe() for p in own if p.name not in NOT_IN_IT}
    assert len(document()["paths"]) == len(expected)


def test_every_operation_documents_its_problems():
    for path, operations in document()["paths"].items():
        for operation in operations.values():
            if path in FIXED:
                continue
            assert {"401", "403", "422", "429", "500", "503"} <= set(
                operation["responses"]
            ), path


class Links(HTMLParser):
    """Collects what a page loads, and what it says inline."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.inline: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self._inside = tag
        if tag in {"script", "link"}:
            self.loaded.append(named.get("src") or named.get("href") or "")
        assert not any(name.startswith("on") or name == "style" for name in named)

    def handle_data(self, data):
        if self._inside in {"script", "style"} and data.strip():
            self.inline.append(data)


def test_the_page_loads_only_files_of_this_server_and_nothing_inline():
    answer = Client().get("/v1/docs/")
    links = Links()
    links.feed(answer.content.decode())
    assert answer.status_code == 200
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert links.inline == []
    assert len(links.loaded) == 4
    for address in links.loaded:
        assert finders.find(address.removeprefix("/static/")), address


@pytest.mark.django_db
def test_the_document_needs_no_token_and_names_no_secret():
    answer = Client().get("/v1/schema/")
    assert answer.json()["openapi"].startswith("3.1")


FUZZ = schemathesis.openapi.from_dict(json.loads(SNAPSHOT.read_text()))
FIXED = {"/healthz", "/readyz"}  # they take nothing that could be varied
OPERATIONS = [
    found.ok() for found in FUZZ.get_all_operations() if found.ok().path not in FIXED
]


@schemathesis.serializer("application/x-ndjson")
def as_lines(context: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def send(agent: HttpAgent, case: schemathesis.Case) -> Any:
    """Send a generated request through Django's test client."""
    query = f"?{urlencode(case.query, doseq=True)}" if case.query else ""
    body = None if isinstance(case.body, NotSet) else case.body
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    headers = {n: v for n, v in case.headers.items() if n.lower() != "authorization"}
    if body is not None:
        headers["Content-Type"] = case.media_type
    return agent.call(case.method, f"{case.formatted_path}{query}", body, **headers)


@pytest.mark.django_db
@pytest.mark.usefixtures("vector_space")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.label)
@pytest.mark.parametrize("mode", schemathesis.GenerationMode)
def test_no_generated_request_ends_in_a_fault_of_ours(operation, mode):
    agent = new_agent()

    @settings(
        max_examples=FUZZED,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def call(data):
        case = data.draw(operation.as_strategy(generation_mode=mode))
        answer = send(agent, case)
        if answer.streaming:
            answer.getvalue()
        assert answer.status_code < 500
        documented = {*operation.definition.raw["responses"], "405"}
        assert str(answer.status_code) in documented
        if answer.status_code >= 400:
            assert answer.json()["code"]

    call()
