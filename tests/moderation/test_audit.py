"""The audit log at the console: its pages, its check and its export."""

import pytest
from django.db import transaction

from memory_core import auditing
from moderation.presenters.audit import PAGE
from tests.factories.world import BY

pytestmark = pytest.mark.django_db
PAGES = [("get", "/audit/", {}), ("post", "/audit/check/", {})]
PAGES += [("post", "/audit/person/", {"owner": owner}) for owner in ("lin", "")]


def record(number: int, **more: str) -> None:
    with transaction.atomic():
        for place in range(number):
            auditing.record("test.event", by=BY, place=place, **more)


@pytest.mark.parametrize("role", ["auditor", "compliance"])
@pytest.mark.parametrize(("method", "path", "body"), PAGES)
def test_each_page_offers_the_export_to_who_may(signed_in, role, method, path, body):
    page = getattr(signed_in(role), method)(path, body).content.decode()
    assert ("Export as CSV" in page) is (role == "auditor")


def test_older_entries_of_a_person_are_of_this_person(signed_in):
    record(PAGE + 1, owner_id="lin")
    record(1)
    client = signed_in("auditor")
    first = client.post("/audit/person/", {"owner": "lin"})
    before = first.context["listed"].before
    assert f'name="before" value="{before}"' in first.content.decode()
    older = client.post("/audit/person/", {"owner": "lin", "before": before})
    assert [row.details["place"] for row in older.context["listed"].rows] == [0]


def test_older_entries_are_found_from_the_page_of_a_check(signed_in):
    record(PAGE + 1)
    page = signed_in("auditor").post("/audit/check/").content.decode()
    assert 'href="/audit/?' in page
