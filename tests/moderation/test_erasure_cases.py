"""Requests to be forgotten: how they come in, who they are about, how they end."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.template.loader import get_template

from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import Identifier, IdentifierKind
from memory_core.exceptions import InvalidInput, NotFound, TransitionRefused
from memory_core.models import AuditEntry
from moderation import case_files
from moderation.actions import (
    erasure_cases,
    erasure_decisions,
    erasure_identity,
    erasure_letters,
)
from moderation.actions.erasure_cases import Intake
from moderation.cases import file_of, others_of
from moderation.models import CaseLetter, CaseNote, CaseState, ErasureCase

pytestmark = pytest.mark.django_db
BY = Actor("operator:lin")
NOW = datetime(2026, 2, 10, 9, tzinfo=UTC)
PERSON = (
    Identifier(IdentifierKind.OWNER, "user-42"),
    Identifier(IdentifierKind.EMAIL, "Mei.Chen+shop@example.org"),
    Identifier(IdentifierKind.NAME, "Chen Mei"),
)


def opened(*identifiers: Identifier, **more) -> ErasureCase:
    intake = Intake(identifiers=identifiers or PERSON, channel="email", **more)
    return erasure_cases.open_case(intake=intake, by=BY, now=NOW)


def assessed(*identifiers: Identifier, **more) -> ErasureCase:
    """A request whose search has ended."""
    case = opened(*identifiers, **more)
    ErasureCase.objects.filter(pk=case.pk).update(
        state=CaseState.ASSESSING, preview={"stores": [{"matched": 3}]}
    )
    return case


def propose(case: ErasureCase, user, **more) -> ErasureCase:
    values = {"ground": "17-1-b", "cool_off_hours": 0, **more}
    return erasure_decisions.propose_erasure(
        ref=case.ref, user=user, by=BY, now=NOW, **values
    )


def test_the_clock_starts_with_the_receipt_not_with_the_typing():
    case = opened(received_on=date(2026, 1, 31))
    assert case.due_on == date(2026, 3, 2)
    with pytest.raises(InvalidInput):
        opened(received_on=date(2026, 2, 11))


def test_no_name_stands_in_the_database_in_clear():
    case = opened(name="Chen Mei", contact="mei@example.org")
    rows = str(list(ErasureCase.objects.values())) + str(
        list(AuditEntry.objects.values())
    )
    for text in ("Chen Mei", "mei@example.org", "user-42"):
        assert text not in rows
        assert text.encode() not in bytes(case.sealed)
    assert file_of(case).name == "Chen Mei"
    assert file_of(case).owner_ids == ("user-42",)


def test_without_its_key_the_file_is_unreadable():
    case = opened(name="Chen Mei")
    case_files.destroy(case.ref)
    assert file_of(case) == case_files.EMPTY


def test_the_same_person_is_found_however_the_address_is_spelled():
    first = opened()
    second = opened(Identifier(IdentifierKind.EMAIL, "mei.chen@EXAMPLE.org"))
    namesake = opened(Identifier(IdentifierKind.NAME, "chen mei"))
    assert list(others_of(second)) == [first]
    assert list(others_of(namesake)) == []
    closed = erasure_cases.close_as_duplicate(
        ref=second.ref, of=first.ref, by=BY, now=NOW
    )
    assert (closed.state, closed.duplicate_of) == (CaseState.DUPLICATE, first)
    with pytest.raises(NotFound):
        erasure_cases.close_as_duplicate(ref=namesake.ref, of=first.ref, by=BY, now=NOW)


def test_waiting_for_identity_is_a_logged_pause_and_moves_the_end():
    case = opened()
    erasure_identity.doubt(ref=case.ref, by=BY, now=NOW + timedelta(days=1))
    later = NOW + timedelta(days=5)
    case = erasure_identity.settle(
        ref=case.ref, method="contact", evidence="mail of 15 Feb", by=BY, now=later
    )
    pause = case.pauses.get()
    assert (pause.started_on, pause.ended_on) == (date(2026, 2, 11), date(2026, 2, 15))
    assert case.due_on == date(2026, 3, 16)  # five days on from 10 March, a Sunday
    assert case.notes.get().kind == CaseNote.Kind.EVIDENCE
    names = set(case.events.values_list("name", flat=True))
    assert {"identity_doubted", "identity_settled"} <= names


def test_who_cannot_be_identified_gets_an_answer_with_their_rights():
    case = opened()
    erasure_identity.doubt(ref=case.ref, by=BY, now=NOW)
    case = erasure_identity.give_up(ref=case.ref, by=BY, now=NOW)
    letter = case.letters.get(kind="unidentified")
    assert "complain" in erasure_letters.text_of(letter)
    assert case.is_closed


def test_one_extension_told_in_time_and_no_second_one():
    case = opened()
    told = {"reason": "complex", "by": BY, "ref": case.ref}
    late = datetime(2026, 3, 11, tzinfo=UTC)
    with pytest.raises(InvalidInput):
        erasure_decisions.extend(told_on=date(2026, 3, 11), now=late, **told)
    case = erasure_decisions.extend(told_on=date(2026, 2, 10), now=NOW, **told)
    assert case.due_on == date(2026, 5, 11)
    text = erasure_letters.text_of(case.letters.get(kind="extension"))
    assert "10 March 2026" in text.replace("March 10, 2026", "10 March 2026")
    with pytest.raises(TransitionRefused):
        erasure_decisions.extend(told_on=date(2026, 2, 10), now=NOW, **told)


def test_the_law_of_china_knows_no_extension():
    case = opened(regime="pipl")
    with pytest.raises(InvalidInput):
        erasure_decisions.extend(
            ref=case.ref, reason="many", told_on=NOW.date(), by=BY, now=NOW
        )


def test_whoever_proposes_cannot_approve(person):
    lin, amara = person("compliance", "lin"), person("compliance", "amara")
    case = assessed()
    propose(case, lin)
    approve = {"ref": case.ref, "code": case.ref, "by": BY, "now": NOW}
    with pytest.raises(erasure_decisions.ApprovalRefused):
        erasure_decisions.approve(user=lin, **approve)
    with pytest.raises(erasure_decisions.ApprovalRefused):
        erasure_decisions.approve(user=amara, **{**approve, "code": "ER-000000"})
    case = erasure_decisions.approve(user=amara, **approve)
    assert (case.state, case.start_at) == (CaseState.SCHEDULED, NOW)


def test_the_database_itself_asks_for_two_people(person):
    lin = person("compliance", "lin")
    case = assessed()
    propose(case, lin)
    rows = ErasureCase.objects.filter(pk=case.pk)
    for changes in (
        {"approved_by": lin, "approved_at": NOW},
        {"state": CaseState.RUNNING},
        {"state": CaseState.CLOSED_COMPLETE, "closed_at": NOW},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**changes)


def test_an_approved_request_cools_off_and_can_be_cancelled(person):
    case = assessed()
    propose(case, person("compliance"), cool_off_hours=72)
    case = erasure_decisions.approve(
        ref=case.ref, code=case.ref.lower(), user=person("admin"), by=BY, now=NOW
    )
    assert case.start_at == NOW + timedelta(hours=72)
    case = erasure_decisions.send_back(ref=case.ref, by=BY, now=NOW)
    assert (case.state, case.approved_by, case.decision) == ("assessing", None, "")
    assert case.events.filter(name="cancelled").exists()


def test_a_refusal_is_approved_too_and_says_why_and_where_to_complain(person):
    case = assessed(language="zh-hans")
    erasure_decisions.propose_refusal(
        ref=case.ref,
        ground="17-3-b",
        reasons="税法要求保存十年。",
        user=person("compliance"),
        by=BY,
        now=NOW,
    )
    case = erasure_decisions.approve(
        ref=case.ref, code=case.ref, user=person("admin"), by=BY, now=NOW
    )
    text = erasure_letters.text_of(case.letters.get(kind="refused"))
    assert case.state == CaseState.REFUSED
    assert "税法要求保存十年。" in text
    assert "投诉" in text


def test_mentions_in_others_memories_are_decided_before_the_proposal(person):
    case = assessed()
    memory_id = case.pk  # any UUID
    case.mentions.create(memory_id=memory_id, matched="name")
    with pytest.raises(InvalidInput):
        propose(case, person())
    decide = {"ref": case.ref, "by": BY, "now": NOW}
    with pytest.raises(InvalidInput):
        erasure_decisions.decide_mentions(decided={memory_id: ("keep", "")}, **decide)
    erasure_decisions.decide_mentions(decided={memory_id: ("redact", "")}, **decide)
    assert propose(case, person("lead")).state == CaseState.AWAITING_APPROVAL


def test_the_clock_ends_with_the_answer_not_with_the_decision():
    case = opened()
    erasure_cases.withdraw(ref=case.ref, by=BY, now=NOW)
    letter = case.letters.get(kind="withdrawn")
    sent = {
        "ref": case.ref,
        "letter_id": letter.pk,
        "text": "Goodbye.",
        "by": BY,
        "now": NOW,
    }
    with pytest.raises(InvalidInput):
        erasure_letters.keep(sent_on=date(2026, 2, 11), **sent)
    erasure_letters.keep(sent_on=date(2026, 2, 10), **sent)
    case.refresh_from_db()
    assert case.answered_on == date(2026, 2, 10)
    letter.refresh_from_db()
    assert erasure_letters.text_of(letter) == "Goodbye."
    with pytest.raises(TransitionRefused):
        erasure_letters.keep(**sent)


def test_a_step_out_of_order_is_refused():
    case = opened()
    with pytest.raises(TransitionRefused):
        erasure_decisions.send_back(ref=case.ref, by=BY, now=NOW)
    with pytest.raises(NotFound):
        erasure_cases.withdraw(ref="ER-NOBODY", by=BY, now=NOW)


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_each_letter_is_there_in_each_language_of_the_console(language):
    for kind in CaseLetter.Kind:
        assert get_template(f"letters/{language}/{kind}.txt")
