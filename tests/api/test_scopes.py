"""Every route asks for its scope: the table comes from the URL configuration."""

from uuid import uuid4

import pytest
from django.urls import URLPattern

from api.urls import urlpatterns
from memory_core.contracts.tokens import SCOPES
from tests.api.client import new_agent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]
METHODS = ("get", "post", "put", "delete", "patch")


def routes() -> list[tuple[str, str, str]]:
    """Return (method, path, scope) of every call that asks for a scope."""
    found = []
    for pattern in urlpatterns:
        view = getattr(getattr(pattern, "callback", None), "cls", None)
        if not isinstance(pattern, URLPattern) or view is None:
            continue
        path = "/" + str(pattern.pattern)
        for name in ("memory_id", "run_id", "snapshot_id", "session_id"):
            path = path.replace(f"<str:{name}>", str(uuid4()))
        found += [
            (method.upper(), path, view.required_scope)
            for method in METHODS
            if hasattr(view, method) and getattr(view, "required_scope", "")
        ]
    return found


def test_there_are_routes_to_look_at():
    assert len(routes()) > 20
    assert {scope for _, _, scope in routes()} <= set(SCOPES)


def test_all_scopes_but_the_one_are_not_enough():
    agents = {
        scope: new_agent(scopes=tuple(one for one in SCOPES if one != scope))
        for scope in {scope for _, _, scope in routes()}
    }
    for method, path, scope in routes():
        answer = agents[scope].call(method, path, {} if method != "GET" else None)
        assert answer.status_code == 403, (method, path, scope)
        assert answer.json()["code"] == "scope_missing", (method, path)
