"""A request from its receipt to its last certificate, as two people handle it."""

import json
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memory_core import erasers
from memory_core.actions import memories, recall
from memory_core.actions.holds import place_hold
from memory_core.contracts.callers import Caller
from memory_core.contracts.erasure import RunState
from memory_core.contracts.memories import Draft
from memory_core.contracts.recall import RecallQuery
from memory_core.erasure.verification import PROBES
from memory_core.models import ErasureRun, LegalHold, Memory
from memory_core.recall import flushing
from memory_core.saving import lookups, vectors
from moderation.actions import (
    erasure_decisions,
    erasure_intake,
    erasure_progress,
    erasure_upkeep,
)
from moderation.cases import file_of
from moderation.models import CaseState, Certificate, ErasureCase
from moderation.presenters.case_names import PROBES as NAMED_PROBES
from moderation.presenters.case_names import STORES
from moderation.presenters.request import TABS
from moderation.regimes import exceptions_of
from tests.erasure.conftest import work
from tests.factories import make_caller
from tests.factories.world import BY

pytestmark = pytest.mark.django_db
PERSON, NAME = "meichen-42", "Chen Meilin"


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    settings.LEDGER_DIR = tmp_path / "ledger"
    settings.COLD_DIR = tmp_path / "cold"
    settings.CONTROLLER = "Example Ltd"
    for forget in (lookups.forget, vectors.forget):
        forget()


@pytest.fixture
def caller() -> Caller:
    vectors.ensure_model()
    return make_caller("helper", shared={"shop": "rw"})


@pytest.fixture
def say(caller: Caller) -> Callable[[str, str], Memory]:
    """Save what a user said."""

    def say(owner: str, content: str) -> Memory:
        draft = Draft(
            owner_id=owner,
            content=content,
            category="fact",
            source_kind="user_input",
            namespace="shop",
        )
        saved = memories.remember(draft=draft, by=caller)
        return Memory.unscoped.get(pk=saved.memory_id)

    return say


@pytest.fixture
def remembered(caller: Caller, say: Callable[[str, str], Memory]) -> Memory:
    """Two memories of the person, one of which an agent recalled, and one mention."""
    first = say(PERSON, "I like green tea in the morning")
    say(PERSON, "I am allergic to peanuts")
    say("neighbour", f"My neighbour {NAME} keeps a spare key for us")
    recall.recall(by=caller, query=RecallQuery(owner_id=PERSON, query="tea"))
    flushing.flush()
    return first


@pytest.fixture
def office(signed_in) -> tuple[Client, Client]:
    """Two people of compliance at their browsers."""
    return signed_in("compliance", "lin"), signed_in("compliance", "amara")


def form(**more: str) -> dict[str, str]:
    return {
        "owner": PERSON,
        "name": NAME,
        "received_on": timezone.localdate().isoformat(),
        "channel": "email",
        "regime": "gdpr",
        "language": "en",
        "requester": "subject",
        **more,
    }


def post(client: Client, case: ErasureCase, verb: str, **values: object) -> None:
    answer = client.post(f"/requests/{case.ref}/{verb}/", values)
    assert answer.status_code == 302, (verb, answer.content.decode()[-3000:])
    case.refresh_from_db()


def advance(case: ErasureCase) -> str:
    """Let the request go on by itself; return its state."""
    after = erasure_progress.advance(ref=case.ref, now=timezone.now())
    case.refresh_from_db()
    return after.state


def purged(case: ErasureCase) -> None:
    """Note that the indexes were purged: nothing is vacuumed inside a test."""
    runs = ErasureRun.objects.filter(ref=case.run_ref)
    runs.update(index_purged_at=timezone.now())


def noted(client: Client, **more: str) -> ErasureCase:
    answer = client.post("/requests/new/", form(**more))
    assert answer.status_code == 302, answer.content.decode()
    return ErasureCase.objects.latest("created_at")


def approved(office: tuple[Client, Client], **more: str) -> ErasureCase:
    """A request whose erasure was proposed by one and approved by the other."""
    lin, amara = office
    case = noted(lin, **more)
    post(lin, case, "settle", method="contact")
    assert advance(case) == CaseState.ASSESSING
    for mention in case.mentions.all():
        key = str(mention.memory_id)
        post(lin, case, "mentions", memory=key, **{f"treatment-{key}": "redact"})
    post(lin, case, "propose", ground="17-1-b", cool_off_hours="0")
    post(amara, case, "approve", code=case.ref)
    return case


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


def test_an_erased_memory_says_under_which_request_it_went(office, remembered):
    case = approved(office)
    advance(case)
    work(case.run_ref)
    answer = office[0].get(f"/memories/{remembered.pk}/")
    assert answer.status_code == 410
    assert case.ref in answer.content.decode()


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
    for client, code in ((lin, case.ref), (amara, "ER-AAAAAA")):
        answer = client.post(f"/requests/{case.ref}/approve/", {"code": code})
        assert answer.status_code == 409
        assert "types the exact code" in answer.content.decode()
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


def test_a_case_that_fails_does_not_stop_the_others(office, remembered, monkeypatch):
    first, second = noted(office[0]), noted(office[0], owner="another")
    real = erasure_progress.erasure_cases.greet

    def greet(*, ref: str, **more: object) -> ErasureCase:
        if ref == first.ref:
            raise RuntimeError("broken")
        return real(ref=ref, **more)

    monkeypatch.setattr(erasure_progress.erasure_cases, "greet", greet)
    assert erasure_progress.advance_all(now=timezone.now()) == 2
    assert second.letters.count() == 1


def test_a_second_request_that_an_agent_passed_on_is_closed_as_a_duplicate(office):
    first = noted(office[0], owner="meichen-50", name="")
    caller = make_caller("front-end")
    receipt = erasure_intake.pass_on(
        owner_id="meichen-50", by=caller, now=timezone.now()
    )
    erasure_progress.advance_all(now=timezone.now())
    case = ErasureCase.objects.get(ref=receipt.ref)
    assert (case.state, case.duplicate_of) == (CaseState.DUPLICATE, first)


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
