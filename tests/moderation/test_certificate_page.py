import json
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client

from memory_core.contracts.callers import Actor
from memory_core.erasure.certificate import check
from memory_core.keys import signing
from moderation.actions import certificates
from moderation.models import Certificate, ErasureCase
from tests.factories.certificates import make_facts

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BY = Actor("system")
pytestmark = pytest.mark.django_db


@pytest.fixture
def issue():
    case = ErasureCase.objects.create(
        ref="ER-7K3M9Q",
        channel="email",
        created_at=NOW,
        created_by="operator:lin",
        received_on=date(2026, 11, 1),
        due_on=date(2026, 12, 1),
    )

    def made(kind="partial", at=NOW):
        return certificates.issue(case=case, facts=make_facts(kind), by=BY, now=at)

    return made


def page(made, **options):
    answer = Client().get(f"/certificates/{made.pk}", **options)
    assert answer.status_code == 200
    return answer.content.decode()


def test_anybody_can_open_it_and_sees_that_it_holds(issue):
    made = issue()
    text = page(made)
    assert "The signature holds." in text
    assert made.document["integrity"]["signature"] in text
    assert "2026-11-20 10:05 UTC" in text
    assert "csrf" not in text


def test_it_is_chinese_by_the_browser_or_by_the_address(issue):
    made = issue()
    assert "删除证书" in page(made, headers={"Accept-Language": "zh-CN"})
    assert "删除证书" in page(made, query_params={"lang": "zh-hans"})
    english = page(
        made, query_params={"lang": "en"}, headers={"Accept-Language": "zh-CN"}
    )
    assert "Certificate of erasure" in english


def test_the_document_is_answered_as_it_was_signed(issue):
    made = issue()
    for answer in (
        Client().get(f"/certificates/{made.pk}.json"),
        Client().get(
            f"/certificates/{made.pk}", headers={"Accept": "application/json"}
        ),
    ):
        assert answer["Content-Type"] == "application/json"
        assert check(json.loads(answer.content), key=signing.public_key()).is_genuine


def test_a_replaced_one_says_so_and_leads_to_the_newer(issue):
    first = issue()
    second = issue("final", at=NOW + timedelta(days=30))
    text = page(first)
    assert "replaces this one" in text
    assert f"/certificates/{second.pk}" in text


def test_one_that_was_changed_in_the_database_is_called_so(issue):
    made = issue()
    made.document["certificate"]["stores"][0]["residue"] = 5
    made.save()
    text = page(made)
    assert "not the one that was signed" in text
    assert "The signature holds" not in text


def test_one_of_an_older_key_is_told_apart(issue, settings, tmp_path):
    made = issue()
    settings.KEYS_DIR = tmp_path
    assert "no longer uses" in page(made)


def test_one_that_a_restored_database_has_forgotten_is_still_there(
    issue, settings, tmp_path, django_capture_on_commit_callbacks
):
    settings.LEDGER_DIR = tmp_path
    with django_capture_on_commit_callbacks(execute=True):
        made = issue()
    Certificate.objects.all().delete()
    assert "restored from a backup since" in page(made)
    assert Client().get(f"/certificates/{made.pk}.json").json() == made.document


def test_stores_without_anything_are_only_named(issue):
    made = issue()
    empty = dict(made.document["certificate"]["stores"][0], store="sessions")
    empty |= {"matched": 0, "erased": 0}
    made.document["certificate"]["stores"].append(empty)
    made.save()
    assert "Searched, nothing found:" in page(made)


def test_an_unknown_id_is_not_found():
    assert Client().get(f"/certificates/{uuid4()}").status_code == 404
    assert Client().get(f"/certificates/{uuid4()}.json").status_code == 404


def test_the_key_is_public():
    said = Client().get("/certificates/key").json()
    assert signing.from_pem(said["pem"].encode()) == signing.public_key()


def test_nothing_can_be_posted(issue):
    made = issue()
    strict = Client(enforce_csrf_checks=True)
    for path in (f"/certificates/{made.pk}", "/certificates/key"):
        assert strict.post(path).status_code in (403, 405)
