"""A request from its receipt to its last certificate, as two people handle it."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from memory_core.actions.holds import place_hold
from memory_core.contracts.erasure import RunState
from memory_core.models import ErasureRun, LegalHold, Memory
from moderation.actions import (
    erasure_decisions,
    erasure_intake,
    erasure_progress,
    erasure_upkeep,
)
from moderation.cases import file_of
from moderation.models import CaseState, Certificate, ErasureCase
from moderation.regimes import exceptions_of
from tests.erasure.conftest import work
from tests.factories import make_caller
from tests.factories.world import BY
from tests.moderation.requests.desk import (
    NAME,
    PERSON,
    advance,
    approved,
    noted,
    post,
    purged,
)

pytestmark = pytest.mark.django_db


def test_from_receipt_to_the_last_certificate(office, remembered):
    case = approved(office)
    assert [one.name for one in case.recipients.all()] == ["helper"]
    assert advance(case) == CaseState.RUNNING
    work(case.run_ref)
    assert advance(case) == CaseState.BACKUPS_AGING
    interim = Certificate.objects.get(case=case)
    assert interim.kind == "interim"
    letter = case.letters.get(kind="erased")
    sent = {"text": "Erased.", "sent_on": timezone.localdate().isoformat()}
    office[0].post(f"/requests/{case.ref}/letters/{letter.pk}/", sent)
    assert advance(case) == CaseState.BACKUPS_AGING
    purged(case)
    assert advance(case) == CaseState.CLOSED_COMPLETE
    assert case.answered_on == timezone.localdate()
    final = Certificate.objects.get(case=case, replaced_at=None)
    assert (final.kind, final.version) == ("final", 2)
    text = json.dumps(final.document)
    for secret in (PERSON, NAME, "green tea"):
        assert secret not in text
    mention = Memory.unscoped.get(owner__external_id="neighbour")
    assert NAME not in mention.content


def test_an_export_by_a_command_is_a_recipient(office, remembered, tmp_path):
    call_command("export", "--owner", PERSON, "--to", str(tmp_path / "lines"))
    case = approved(office)
    found = [(one.kind, one.name, one.times) for one in case.recipients.all()]
    assert ("export", "command:export", 1) in found


def test_what_is_held_stays_and_goes_when_the_hold_ends(office, remembered):
    hold = place_hold(reason="legal_claims", memory_id=remembered.pk, by=BY)
    case = approved(office)
    advance(case)
    work(case.run_ref)
    assert advance(case) == CaseState.PARTIALLY_ERASED
    assert Memory.unscoped.filter(pk=remembered.pk).exists()
    certificate = Certificate.objects.get(case=case)
    assert certificate.kind == "partial"
    assert "legal_claims" in json.dumps(certificate.document)
    page = office[0].get(f"/requests/{case.ref}/?tab=messages").content.decode()
    assert "needed for legal claims" in page
    office[0].post(f"/requests/holds/{hold.pk}/release/", {"reason": "settled"})
    work(case.run_ref)
    assert advance(case) == CaseState.BACKUPS_AGING
    assert not Memory.unscoped.filter(pk=remembered.pk).exists()


def test_a_held_memory_is_not_deleted_at_the_console(office, signed_in, remembered):
    office[0].post(
        "/requests/holds/place/",
        {"memory_id": str(remembered.pk), "reason": "legal_duty"},
    )
    assert LegalHold.objects.get().placed_by == "operator:lin"
    answer = signed_in("admin").post(f"/memories/{remembered.pk}/delete/")
    assert answer.status_code == 423
    assert "legal hold" in answer.content.decode()


def test_a_hold_names_exactly_one_thing_that_exists(office):
    for values in (
        {"reason": "legal_duty"},
        {"reason": "legal_duty", "owner_id": "x", "namespace": "y"},
        {"reason": "legal_duty", "owner_id": "nobody-here"},
    ):
        assert office[0].post("/requests/holds/place/", values).status_code == 422
    assert not LegalHold.objects.exists()


def test_a_request_can_be_cancelled_until_the_fence_and_not_after(office, remembered):
    case = approved(office)
    post(office[0], case, "send-back")
    assert case.state == CaseState.ASSESSING
    post(office[0], case, "propose", ground="17-1-b", cool_off_hours="0")
    post(office[1], case, "approve", code=case.ref)
    advance(case)
    answer = office[0].post(f"/requests/{case.ref}/send-back/")
    assert answer.status_code == 409
    assert ErasureRun.objects.filter(ref=case.run_ref).exists()


def test_the_proposer_cannot_approve_and_a_wrong_code_is_none(office, remembered):
    lin, amara = office
    case = noted(lin)
    post(lin, case, "settle", method="contact")
    advance(case)
    for mention in case.mentions.all():
        key = str(mention.memory_id)
        post(lin, case, "mentions", memory=key, **{f"treatment-{key}": "redact"})
    post(lin, case, "propose", ground="17-1-b", cool_off_hours="0")
    tries = (
        (lin, case.ref, "You proposed this; another person has to approve it."),
        (amara, "ER-AAAAAA", "Type the code of this request as it stands above."),
    )
    for client, code, said in tries:
        answer = client.post(f"/requests/{case.ref}/approve/", {"code": code})
        assert answer.status_code == 409
        assert said in answer.content.decode()
    case.refresh_from_db()
    assert case.approved_by is None


def test_nothing_found_closes_with_an_answer(office):
    case = noted(office[0], owner="nobody-ever", name="")
    post(office[0], case, "settle", method="account")
    advance(case)
    post(office[0], case, "close-empty")
    assert case.state == CaseState.NO_DATA_FOUND
    assert case.letters.filter(kind="nothing").exists()


def test_everything_held_blocks_until_the_hold_ends(office, remembered):
    hold = place_hold(reason="authority_order", owner_id=PERSON, by=BY)
    case = approved(office, name="")
    if advance(case) != CaseState.BLOCKED_BY_HOLD:
        work(case.run_ref)
        assert advance(case) == CaseState.PARTIALLY_ERASED
    assert Memory.unscoped.filter(owner__external_id=PERSON).count() == 2
    office[0].post(f"/requests/holds/{hold.pk}/release/", {"reason": "mistake"})
    advance(case)
    work(case.run_ref)
    assert advance(case) == CaseState.BACKUPS_AGING


def test_the_file_is_reduced_and_the_proof_stays(office, remembered, settings):
    case = approved(office)
    advance(case)
    work(case.run_ref)
    advance(case)
    letter = case.letters.get(kind="erased")
    sent = {"text": "Erased.", "sent_on": timezone.localdate().isoformat()}
    office[0].post(f"/requests/{case.ref}/letters/{letter.pk}/", sent)
    purged(case)
    advance(case)
    later = timezone.now() + timedelta(days=31 * settings.CASE_FILE_MONTHS)
    assert erasure_upkeep.tidy(now=timezone.now()) == 0
    assert erasure_upkeep.tidy(now=later) == 1
    case.refresh_from_db()
    assert file_of(case).identifiers == ()
    assert Certificate.objects.filter(case=case).count() == 2
    for tab in ("scope", "messages", "certificate"):
        page = office[0].get(f"/requests/{case.ref}/?tab={tab}")
        assert page.status_code == 200
        assert NAME not in page.content.decode()


def test_a_failed_erasure_shows_its_error_and_goes_on_when_told(office, remembered):
    case = approved(office)
    advance(case)
    runs = ErasureRun.objects.filter(ref=case.run_ref)
    runs.update(state=RunState.FAILED, error="StoreBroken")
    advance(case)
    page = office[0].get(f"/requests/{case.ref}/").content.decode()
    assert "StoreBroken" in page
    post(office[0], case, "try-again")
    assert (runs.get().state, case.error) == (RunState.EXECUTING, "")
    work(case.run_ref)
    assert advance(case) == CaseState.BACKUPS_AGING


def test_a_mention_that_turns_up_late_is_decided_on_and_goes_too(
    office, remembered, say
):
    case = approved(office)
    advance(case)
    late = say("neighbour", f"{NAME} came back from her holiday")
    work(case.run_ref)
    assert advance(case) == CaseState.RUNNING
    page = office[0].get(f"/requests/{case.ref}/").content.decode()
    assert "Decide on memories that mention the person" in page
    key = str(late.pk)
    post(office[0], case, "mentions", memory=key, **{f"treatment-{key}": "redact"})
    work(case.run_ref)
    assert advance(case) == CaseState.BACKUPS_AGING
    late.refresh_from_db()
    assert NAME not in late.content


def test_what_two_people_approved_is_not_changed_by_one_while_it_runs(
    office, remembered, say
):
    case = approved(office)
    advance(case)
    case.refresh_from_db()
    settled = say("neighbour", "Settled before")
    stranger = say("neighbour", f"Nobody asked about this memory of {NAME}")
    case.mentions.create(memory_id=settled.pk, matched="name", treatment="redact")
    ground = next(iter(exceptions_of(case.regime)))
    decided = {settled.pk: ("keep", ground), stranger.pk: ("redact", "")}
    erasure_decisions.decide_mentions(
        ref=case.ref, decided=decided, by=BY, now=timezone.now()
    )
    assert case.mentions.get(memory_id=settled.pk).treatment == "redact"
    run = ErasureRun.objects.get(ref=case.run_ref)
    assert not {str(settled.pk), str(stranger.pk)} & run.mentions.keys()


def test_a_case_that_fails_does_not_stop_the_others(
    office, remembered, monkeypatch, caplog
):
    first, second = noted(office[0]), noted(office[0], owner="another")
    real = erasure_progress.erasure_cases.greet

    def greet(*, ref: str, **more: object) -> ErasureCase:
        if ref == first.ref:
            raise RuntimeError("broken")
        return real(ref=ref, **more)

    monkeypatch.setattr(erasure_progress.erasure_cases, "greet", greet)
    assert erasure_progress.advance_all(now=timezone.now()) == 2
    assert second.letters.count() == 1
    assert f"{first.ref}: RuntimeError at greet:" in caplog.text
    assert "broken" not in caplog.text


def test_a_second_request_that_an_agent_passed_on_is_closed_as_a_duplicate(office):
    first = noted(office[0], owner="meichen-50", name="")
    caller = make_caller("front-end")
    receipt = erasure_intake.pass_on(
        owner_id="meichen-50", by=caller, now=timezone.now()
    )
    erasure_progress.advance_all(now=timezone.now())
    case = ErasureCase.objects.get(ref=receipt.ref)
    assert (case.state, case.duplicate_of) == (CaseState.DUPLICATE, first)
