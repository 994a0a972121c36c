"""Who was erased stays out, under every key, until two people let them in again."""

import pytest
from django.utils import timezone

from memory_core import ledger
from memory_core.actions import access, erasure, lifting
from memory_core.actions.tombstones import rotate
from memory_core.auditing import seal, verify
from memory_core.contracts.erasure import Identifier, IdentifierKind, RunState
from memory_core.erasure import reapplying
from memory_core.exceptions import (
    InvalidInput,
    NotFound,
    OwnerErased,
    TransitionRefused,
)
from memory_core.keys import data
from memory_core.models import AuditEntry, ErasureRun, Memory, Owner, Tombstone
from tests.erasure.conftest import BY, MAIL, NAME, OTHER, PERSON, SUBJECT, begin, work

pytestmark = pytest.mark.django_db
TWO = {"prepared_by": "7", "approved_by": "8", "reason": "came_back", "by": BY}


def lift(**options):
    return lifting.lift_tombstones(identifiers=SUBJECT.names, **(TWO | options))


@pytest.fixture
def erased(person):
    run = work(begin())
    access.forget_cached()
    return run


def test_a_new_key_does_not_let_anybody_back_in(erased, say, settings, tmp_path):
    rotate(by=BY)
    with pytest.raises(OwnerErased):
        say("Here I am again")


def test_two_people_let_a_person_in_again(erased, say):
    assert lift() == 3
    assert say("Here I am again")
    assert not data.is_destroyed(data.of_owner(PERSON))
    assert ledger.standing() == []
    entry = AuditEntry.objects.get(action="tombstone.lift")
    assert entry.details["prepared_by"] != entry.details["approved_by"]


def test_one_person_alone_does_not(erased, say):
    with pytest.raises(InvalidInput):
        lift(approved_by="7")
    with pytest.raises(OwnerErased):
        say("Here I am again")


def test_the_reason_is_a_code(erased):
    with pytest.raises(InvalidInput):
        lift(reason=f"{NAME} wrote to us")


def test_nothing_is_lifted_while_the_person_is_being_erased(person):
    begin()
    with pytest.raises(TransitionRefused):
        lift()


def test_what_does_not_stand_is_not_lifted(db):
    with pytest.raises(NotFound):
        lift()


def test_who_came_back_can_be_erased_again(erased, say):
    lift()
    say("Here I am again")
    assert work(begin(case_ref="ER-TEST02")).state == RunState.LIVE_ERASED
    assert len(ledger.standing()) == 3


class TestRestore:
    """An old backup has the person and no tombstone; the ledger knows better."""

    @pytest.fixture
    def restored(self, person, say, voice):
        say("The neighbour likes coffee", OTHER)
        work(begin())
        Tombstone.objects.all().delete()
        data.renew(data.of_owner(PERSON))
        access.forget_cached()
        say("As it was in the backup")
        assert ledger.is_ahead_of_database()

    def test_the_person_is_erased_again_and_nobody_else(self, restored):
        done = reapply()
        assert (done.erased, done.residue, done.failed) == (1, 0, [])
        assert not ledger.is_ahead_of_database()
        assert not Owner.objects.filter(external_id=PERSON).exists()
        assert [one.content for one in Memory.unscoped.all()] == [
            "The neighbour likes coffee"
        ]

    def test_a_second_time_finds_nothing_to_do(self, restored):
        reapply()
        assert reapply() == reapplying.Reapplied(0, 0, [])

    def test_one_that_was_cut_off_is_done_by_the_next(self, restored):
        reapplying._put_tombstones(ledger.missing(), now=timezone.now())
        assert reapply().erased == 1

    def test_who_is_known_by_the_mail_address_only_is_found(self, restored, say):
        Owner.objects.create(external_id=MAIL.upper())
        reapply()
        assert not Owner.objects.filter(external_id=MAIL.upper()).exists()


def reapply():
    """Without the wait for other processes, of which a restore has none."""
    settling = reapplying.running.SETTLING
    reapplying.running.SETTLING *= 0
    try:
        return reapplying.reapply(now=timezone.now())
    finally:
        reapplying.running.SETTLING = settling


def test_the_audit_log_names_nobody_and_its_chain_holds(erased):
    seal.seal(now=timezone.now())
    assert verify.verify().intact
    texts = " ".join(
        f"{one.action} {one.actor} {one.details}" for one in AuditEntry.objects.all()
    )
    assert "erasure.fence" in texts and "erasure.live_erased" in texts
    assert not [word for word in (PERSON, NAME, MAIL) if word in texts]


def test_a_view_of_the_run_names_nobody(erased):
    view = repr(erasure.state(run=erased.ref))
    assert not [word for word in (PERSON, NAME, MAIL) if word in view]
    assert bytes(erased.subject) == b""


def test_while_it_lasts_the_names_are_sealed(person):
    run = ErasureRun.objects.get(ref=begin())
    assert PERSON.encode() not in bytes(run.subject)
    assert Identifier(IdentifierKind.NAME, NAME) in (
        reapplying.running.sealing.subject_of(run).identifiers
    )
