"""What the pages of requests show, and to whom."""

import json
from datetime import date, timedelta

import pytest
from django.utils import timezone

from memory_core import erasers
from memory_core.actions.holds import place_hold
from memory_core.erasure.verification import PROBES
from moderation.models import ErasureCase
from moderation.presenters.case_names import PROBES as NAMED_PROBES
from moderation.presenters.case_names import STORES
from moderation.presenters.request import TABS
from tests.erasure.conftest import work
from tests.factories.world import BY
from tests.moderation.requests.desk import (
    PERSON,
    advance,
    approved,
    form,
    noted,
    post,
)

pytestmark = pytest.mark.django_db


def test_an_erased_memory_says_under_which_request_it_went(office, remembered):
    case = approved(office)
    advance(case)
    work(case.run_ref)
    answer = office[0].get(f"/memories/{remembered.pk}/")
    assert answer.status_code == 410
    assert case.ref in answer.content.decode()


def test_every_tab_opens_at_every_stage(office, remembered):
    def look(case: ErasureCase) -> None:
        for tab in TABS:
            page = office[0].get(f"/requests/{case.ref}/?tab={tab}")
            assert page.status_code == 200, (case.state, tab)

    look(noted(office[0], owner="another"))
    case = approved(office)
    look(case)
    advance(case)
    look(case)
    work(case.run_ref)
    advance(case)
    look(case)


def test_a_fragment_has_the_request_only_and_looks_again_while_it_moves(office):
    case = noted(office[0])
    post(office[0], case, "settle", method="contact")
    answer = office[0].get(f"/requests/{case.ref}/", headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert "<html" not in page
    assert "every 4s" in page


def test_the_list_shows_late_ones_first_and_says_by_how_much(office):
    noted(office[0])
    late = timezone.localdate() - timedelta(days=60)
    case = noted(office[0], received_on=late.isoformat(), owner="another")
    page = office[0].get("/requests/").content.decode()
    assert page.index(case.ref) < page.index("days left")
    assert "days late" in page
    assert case.ref in office[0].get("/requests/?view=overdue").content.decode()
    assert case.ref not in office[0].get("/requests/?view=closed").content.decode()


@pytest.mark.parametrize(
    "wrong",
    [
        {"owner": "", "name": ""},
        {"received_on": "2999-01-01"},
        {"channel": "agent"},
        {"regime": "none"},
    ],
)
def test_a_request_that_makes_no_sense_is_not_noted(office, wrong):
    answer = office[0].post("/requests/new/", form(**wrong))
    assert answer.status_code == 422
    assert not ErasureCase.objects.exists()


def test_whoever_approves_sees_what_came_since_the_search(office, remembered, say):
    case = noted(office[0], name="")
    post(office[0], case, "settle", method="contact")
    advance(case)
    post(office[0], case, "propose", ground="17-1-b", cool_off_hours="0")
    say(PERSON, "I have moved to Elm Street")
    advance(case)
    page = office[1].get(f"/requests/{case.ref}/").content.decode()
    assert "now 3" in page


def test_the_memory_and_the_overview_tell_of_requests_and_holds(office, remembered):
    noted(office[0])
    place_hold(reason="legal_claims", owner_id=PERSON, by=BY)
    page = office[0].get(f"/memories/{remembered.pk}/").content.decode()
    assert "asks to be forgotten" in page
    assert "1 legal hold" in page
    assert "none is late" in office[0].get("/").content.decode()


def test_every_store_and_every_probe_has_a_name():
    assert {one.store for one in erasers.registered()} <= STORES.keys()
    assert PROBES.keys() == NAMED_PROBES.keys()


def test_hostile_names_stay_text(office):
    text = '<script>alert(1)</script>"><img src=x>'
    case = noted(office[0], owner=text, asking=text, contact=text)
    post(office[0], case, "note", text=text)
    for tab in ("scope", "recipients", "messages"):
        page = office[0].get(f"/requests/{case.ref}/?tab={tab}").content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page


def test_auditors_look_and_do_nothing(signed_in, office):
    case = noted(office[0])
    auditor = signed_in("auditor")
    page = auditor.get(f"/requests/{case.ref}/").content.decode()
    assert "Identity is settled" not in page
    assert auditor.post(f"/requests/{case.ref}/withdraw/").status_code == 403


def test_the_access_report_lists_what_is_held_and_who_received_it(office, remembered):
    page = office[0].post("/requests/access/", {"owner": PERSON}).content.decode()
    assert "green tea" in page
    assert "helper × 1" in page
    sent = office[0].post("/requests/access/file/", {"owner": PERSON})
    assert sent["Content-Type"].startswith("application/json")
    assert len(json.loads(sent.content)["memories"]) == 2
    assert office[0].post("/requests/access/", {}).status_code == 422


def test_due_words_count_days_not_hours(time_machine, office):
    time_machine.move_to("2026-02-10 12:00 +0000")
    case = noted(office[0], received_on="2026-02-10")
    assert case.due_on == date(2026, 3, 10)
    page = office[0].get(f"/requests/{case.ref}/").content.decode()
    assert "28 days left, March 10" in page
