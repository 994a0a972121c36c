"""Restricted until a request is decided; and who may read whom it is about."""

import pytest
from django.utils import timezone

from memory_core.contracts.erasure import Identifier, IdentifierKind
from memory_core.models import AuditEntry, Owner
from moderation.actions import erasure_cases, erasure_letters
from moderation.actions.erasure_cases import Channel, Intake
from moderation.models import CaseLetter, CaseState, ErasureCase
from tests.factories.world import BY
from tests.moderation.requests.desk import NAME, PERSON, advance, form, post

pytestmark = pytest.mark.django_db
MAIL = "meilin.chen@example.org"


@pytest.fixture
def case(remembered, office):
    office[0].post("/requests/new/", form(email=MAIL, contact=MAIL))
    return ErasureCase.objects.get()


def restricted() -> list[str] | None:
    return Owner.objects.get(external_id=PERSON).restricted_by


def page(client, case, tab="scope"):
    return client.get(f"/requests/{case.ref}/?tab={tab}").content.decode()


def test_staff_restrict_and_lift_and_all_pages_say_so(case, office, remembered):
    lin, _ = office
    post(lin, case, "restrict", tab="holds")
    assert restricted() == [case.ref]
    assert "Lift the restriction" in page(lin, case, "holds")
    assert "processing restricted" in page(lin, case)
    assert case.ref in lin.get(f"/memories/{remembered.pk}/").content.decode()
    report = lin.post("/requests/access/", {"owner": PERSON}).content.decode()
    assert "used for nothing until the request is decided" in report
    post(lin, case, "unrestrict", tab="holds")
    assert restricted() is None
    assert "Lift the restriction" not in page(lin, case, "holds")
    names = AuditEntry.objects.values_list("action", flat=True)
    assert {"erasure.restricted", "restriction.place", "erasure.unrestricted"} <= set(
        names
    )


def test_it_ends_when_the_closed_request_has_been_answered(case, office):
    lin, _ = office
    post(lin, case, "restrict")
    post(lin, case, "withdraw")
    assert restricted() == [case.ref]
    letter = case.letters.get(kind=CaseLetter.Kind.WITHDRAWN)
    erasure_letters.keep(
        ref=case.ref,
        letter_id=letter.pk,
        text="We closed it.",
        sent_on=timezone.localdate(),
        by=BY,
        now=timezone.now(),
    )
    assert restricted() is None


def test_a_duplicate_hands_it_on(case, office):
    now = timezone.now()
    twin = erasure_cases.open_case(intake=an_intake(), by=BY, now=now)
    lin, _ = office
    post(lin, twin, "restrict")
    post(lin, twin, "duplicate", of=case.ref)
    case.refresh_from_db()
    assert restricted() == [case.ref]
    assert case.restricted_at is not None
    assert twin.restricted_at is None


def an_intake():
    return Intake((Identifier(IdentifierKind.OWNER, PERSON),), Channel.EMAIL)


def test_a_controller_may_want_it_from_the_receipt_on(remembered, settings):
    now = timezone.now()
    first = erasure_cases.open_case(intake=an_intake(), by=BY, now=now)
    erasure_cases.greet(ref=first.ref, by=BY, now=now)
    assert restricted() is None
    settings.RESTRICT_ON_REQUEST = True
    second = erasure_cases.open_case(intake=an_intake(), by=BY, now=now)
    erasure_cases.greet(ref=second.ref, by=BY, now=now)
    assert restricted() == [second.ref]


def test_who_is_unknown_cannot_be_restricted(office):
    lin, _ = office
    lin.post("/requests/new/", form(owner="nobody-77"))
    case = ErasureCase.objects.get()
    answer = lin.post(f"/requests/{case.ref}/restrict/")
    assert answer.status_code == 409
    case.refresh_from_db()
    assert case.restricted_at is None


@pytest.mark.parametrize("tab", ["scope", "holds", "messages", "recipients"])
def test_auditors_see_the_request_and_not_who_it_is(case, office, signed_in, tab):
    lin, _ = office
    post(lin, case, "settle", method="contact")
    assert advance(case) == CaseState.ASSESSING
    hold = {"owner_id": PERSON, "reason": "legal_duty"}
    assert lin.post("/requests/holds/place/", hold).status_code == 302
    erasure_letters.write(case, CaseLetter.Kind.RECEIPT, now=timezone.now())
    seen = page(signed_in("auditor"), case, tab)
    assert case.ref in seen
    assert not [word for word in (PERSON, NAME, MAIL) if word in seen]
    if tab == "scope":
        assert PERSON[0] + "•••" in seen
        assert "My neighbour [redacted] keeps a spare key" in seen
        assert NAME in page(lin, case, tab)
