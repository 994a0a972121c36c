"""Worked numbers of who gains what, without a database."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memory_core.contracts.touches import Kinship, Note, Served
from memory_core.recall.gaining import MOST_AN_HOUR, gains_of, slots

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
A, B = UUID(int=1), UUID(int=2)


def note(*memories, after=timedelta(), session="", owner=7, **fields):
    served = tuple(Served(m, 1, rank, 0.5) for rank, m in enumerate(memories, start=1))
    at = (NOW + after).timestamp()
    values = {"touches": True, "actor": "agent:a", "token_id": 1} | fields
    return Note(at=at, owner=owner, session=session, served=served, **values)


def gained(*notes, before=None, last=None):
    known = {A: None, B: None} | (last or {})
    return gains_of(notes, gained=before or {}, last_gain_at=known).by_memory


def test_the_first_rank_gains_a_tenth_and_the_next_half_of_it():
    gains = gained(note(A, B))
    assert (gains[A].base, gains[A].accesses) == (0.1, 1)
    assert (gains[B].base, gains[B].accesses) == (0.05, 1)


def test_the_sixth_rank_counts_and_gains_nothing():
    others = [UUID(int=n) for n in range(10, 15)]
    gains = gained(note(*others, A))
    assert (gains[A].base, gains[A].accesses) == (0.0, 1)


def test_a_loop_within_an_hour_gains_once():
    steps = [note(A, after=timedelta(minutes=n)) for n in range(60)]
    assert gained(*steps)[A].accesses == 1


def test_an_hour_later_it_gains_again():
    gains = gained(note(A), note(A, after=timedelta(hours=1)))
    assert (gains[A].base, gains[A].accesses) == (0.2, 2)
    assert gains[A].at == (NOW + timedelta(hours=1)).timestamp()


def test_a_gain_that_was_written_before_is_minded():
    recent = NOW - timedelta(minutes=59)
    assert gained(note(A), last={A: recent}) == {}
    assert gained(note(A), last={A: NOW - timedelta(hours=1)})[A].accesses == 1


def test_one_session_gains_once_however_long_it_lasts():
    steps = [note(A, session="s", after=timedelta(hours=n)) for n in range(5)]
    assert gained(*steps)[A].accesses == 1


def test_each_session_gains_for_itself():
    assert gained(note(A, session="s"), note(A, session="t"))[A].accesses == 2


def test_a_new_session_for_every_call_pumps_nothing_up():
    steps = [note(A, session=f"s{n}", after=timedelta(seconds=n)) for n in range(50)]
    gain = gained(*steps)[A]
    assert gain.accesses == 50
    assert gain.base == pytest.approx(0.1 * MOST_AN_HOUR)
    later = [note(A, session=f"t{n}", after=timedelta(hours=1)) for n in range(9)]
    both = gained(*steps, *later)[A]
    assert both.base == pytest.approx(0.2 * MOST_AN_HOUR)


def test_gains_of_the_hour_that_were_written_before_are_minded():
    taken = {slot: {A} for slot in slots(note(A, session="s"))[1:]}
    assert gained(note(A, session="s"), before=taken)[A].base == 0.1
    again = note(A, session="t", after=timedelta(minutes=1))
    assert gained(note(A, session="s"), again, before=taken)[A].base == 0.1


def test_a_session_that_brought_a_gain_before_brings_no_second():
    assert gained(note(A, session="s"), before={(7, "s"): {A}}) == {}


def test_sessions_of_the_same_name_of_two_owners_are_two():
    assert gained(note(A, session="s"), before={(8, "s"): {A}})[A].accesses == 1


def test_what_must_not_touch_and_what_is_gone_gain_nothing():
    assert gained(note(A, touches=False)) == {}
    assert gained(note(UUID(int=99))) == {}


def test_notes_count_in_the_order_of_their_times():
    late = note(B, A, after=timedelta(minutes=1))
    early = note(A, B)
    gains = gained(late, early)
    assert gains[A].base == pytest.approx(0.1)


def test_only_recalls_with_kinship_name_kin_and_only_where_the_base_gains():
    others = [UUID(int=n) for n in range(10, 15)]
    kinship = Kinship((B,), 1, 0.95)
    found = gains_of(
        [note(A, session="s", kinship=kinship), note(*others, A, session="t")],
        gained={},
        last_gain_at={A: None},
    )
    assert [(served.memory_id, base) for _, served, base in found.kin] == [(A, 0.1)]
