"""Every address of the console and every role: what the matrix says, and no more."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver

from moderation.permissions import MATRIX, Permission
from moderation.roles import Role
from moderation.urls import urlpatterns

pytestmark = pytest.mark.django_db
SOMEBODY = "01900000-0000-7000-8000-000000000000"


def pages() -> list[tuple[str, Permission]]:
    """Return an address and the right it asks for, of each page and each form."""
    found = []
    for pattern in urlpatterns:
        if isinstance(pattern, URLResolver):
            continue
        found.append((address(pattern), pattern.callback.permission))
    return found


def address(pattern: URLPattern) -> str:
    route = re.sub(r"<uuid:\w+>", SOMEBODY, str(pattern.pattern))
    route = re.sub(r"<int:\w+>", "999999", route)
    return "/" + re.sub(r"<\w+:\w+>", "x", route)


@pytest.mark.parametrize("role", list(Role))
def test_a_role_opens_what_the_matrix_gives_it(signed_in, role):
    client = signed_in(role.value)
    for path, permission in pages():
        statuses = {client.get(path).status_code, client.post(path).status_code}
        if permission in MATRIX[role]:
            assert 403 not in statuses, (path, role)
        else:
            assert statuses <= {403, 405}, (path, role, statuses)


def test_a_stranger_is_sent_to_sign_in():
    client = Client()
    for path, _ in pages():
        for answer in (client.get(path), client.post(path)):
            assert answer.status_code in (302, 405), path
            if answer.status_code == 302:
                assert answer["Location"].startswith("/accounts/login/")


def test_no_form_is_taken_without_its_token(signed_in):
    strict = signed_in("admin", enforce_csrf_checks=True)
    for path, _ in pages():
        assert strict.post(path).status_code in (403, 405), path


def test_every_page_has_the_headers_that_keep_it_in():
    answer = Client().get("/accounts/login/")
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("page", ["/queue/", "/sources/", "/memories/", "/audit/"])
def test_a_nul_in_an_address_is_a_mistake_of_the_caller(signed_in, page):
    every = [
        "q",
        "kind",
        "state",
        "namespace",
        "category",
        "source",
        "reason",
        "since",
        "view",
        "status",
    ]
    query = "&".join(f"{name}=%00" for name in every)
    assert signed_in("admin").get(f"{page}?{query}").status_code == 400


def test_a_page_asks_once_for_the_roles_of_who_looks(signed_in):
    client = signed_in("lead")
    with CaptureQueriesContext(connection) as asked:
        client.get("/queue/")
    assert sum("auth_group" in one["sql"] for one in asked.captured_queries) == 1
