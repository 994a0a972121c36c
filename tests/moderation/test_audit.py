"""The audit log at the console: its pages, its check and its export."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory_core import auditing, jobs
from memory_core.auditing import verify
from memory_core.auditing.seal import seal
from memory_core.models import AuditEntry, AuditSeal, Job
from moderation import tasks as _registers  # noqa: F401
from moderation.actions import audit_exports
from moderation.presenters.audit import PAGE
from tests.factories.world import BY

pytestmark = pytest.mark.django_db
PAGES = [("get", "/audit/", {}), ("post", "/audit/person/", {"owner": ""})]


def record(number: int, **more: str) -> None:
    with transaction.atomic():
        for place in range(number):
            auditing.record("test.event", by=BY, place=place, **more)


@pytest.mark.parametrize("role", ["auditor", "compliance"])
@pytest.mark.parametrize(("method", "path", "body"), PAGES)
def test_each_page_offers_the_export_to_who_may(signed_in, role, method, path, body):
    page = getattr(signed_in(role), method)(path, body).content.decode()
    assert ("Export as CSV" in page) is (role == "auditor")


def test_the_page_of_a_person_does_not_offer_the_export_of_everybody(signed_in):
    page = signed_in("auditor").post("/audit/person/", {"owner": "lin"})
    assert "Export as CSV" not in page.content.decode()


def test_older_entries_of_a_person_are_of_this_person(signed_in):
    record(PAGE + 1, owner_id="lin")
    record(1)
    client = signed_in("auditor")
    first = client.post("/audit/person/", {"owner": "lin"})
    before = first.context["listed"].before
    assert f'name="before" value="{before}"' in first.content.decode()
    older = client.post("/audit/person/", {"owner": "lin", "before": before})
    assert [row.details["place"] for row in older.context["listed"].rows] == [0]


@pytest.fixture
def _sealed(settings, tmp_path):
    settings.AUDIT_DIR = tmp_path / "audit"
    record(10)
    seal(now=timezone.now())


@pytest.mark.usefixtures("_sealed")
def test_the_chain_is_verified_in_the_background(signed_in, monkeypatch):
    monkeypatch.setattr(verify, "CHUNK", 4)
    monkeypatch.setattr(jobs, "TURN_SECONDS", 0)
    client = signed_in("auditor")
    for _ in range(2):
        page = client.post("/audit/check/", follow=True).content.decode()
        assert "The chain is being verified: 0 of" in page
    job = Job.objects.get(kind="audit_check")
    jobs.work(seconds=0)
    part = client.get("/audit/check/", headers={"HX-Request": "true"})
    assert "The chain is being verified: 4 of" in part.content.decode()
    jobs.work(seconds=60)
    page = client.get("/audit/").content.decode()
    assert "The chain holds up to entry 1" in page
    assert "Verified for operator:auditor" in page
    job.refresh_from_db()
    assert (job.state, job.done) == ("done", AuditSeal.objects.count())
    assert AuditEntry.objects.filter(action="audit.check").count() == 1


@pytest.mark.usefixtures("_sealed")
def test_a_chain_that_does_not_hold_is_told_with_its_place(signed_in, monkeypatch):
    monkeypatch.setattr(verify, "CHUNK", 2)
    monkeypatch.setattr(jobs, "TURN_SECONDS", 0)
    with connection.cursor() as cursor:
        for switch in ("DISABLE", "ENABLE"):
            cursor.execute(f"ALTER TABLE memory_core_auditentry {switch} TRIGGER USER")
            if switch == "DISABLE":
                seal_of_fifth = AuditSeal.objects.get(position=5)
                AuditEntry.objects.filter(pk=seal_of_fifth.entry_id).update(actor="x")
    client = signed_in("auditor")
    client.post("/audit/check/")
    jobs.work(seconds=60)
    page = client.get("/audit/").content.decode()
    assert "The chain does not hold: entry_changed at position 5" in page


def test_an_export_is_read_while_it_is_sent(signed_in):
    record(3 * audit_exports.PAGE)
    client = signed_in("auditor")
    with CaptureQueriesContext(connection) as asked:
        answer = client.post("/audit/export/")
        assert reads(asked) == 0
        pieces = iter(answer.streaming_content)
        sent = [next(pieces).decode()]
        assert reads(asked) == 1
        record(1)
        sent += [piece.decode() for piece in pieces]
    rows = "".join(sent).splitlines()
    assert rows[0].startswith("id,at,actor")
    assert len(sent[0].splitlines()) == audit_exports.PAGE + 1
    assert "".join(sent).count("test.event") == 3 * audit_exports.PAGE
    assert "audit.export" in rows[-1]


def reads(asked: CaptureQueriesContext) -> int:
    table = 'FROM "memory_core_auditentry"'
    return sum(table in one["sql"] for one in asked.captured_queries)
