"""Worked examples of the periods that the law sets."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moderation.deadlines import Pause, Period, due, next_working_day, stood_still
from moderation.regimes import RULES

MONTH = Period(1, "months")
TWO_MORE = Period(2, "months")


def day(text: str) -> date:
    return date.fromisoformat(text)


@pytest.mark.parametrize(
    ("received", "last"),
    [
        ("2026-02-10", "2026-03-10"),  # 30 days would be two days late
        ("2026-01-30", "2026-03-02"),  # 28 February is a Saturday
        ("2027-01-31", "2027-03-01"),  # 28 February is a Sunday
        ("2028-01-31", "2028-02-29"),  # a leap year's last day of February
        ("2026-03-31", "2026-04-30"),  # April has 30 days
        ("2026-12-31", "2027-02-01"),  # 31 January is a Sunday
        ("2026-11-30", "2026-12-30"),
    ],
)
def test_a_month_ends_on_the_same_number_and_never_on_a_weekend(received, last):
    assert due(day(received), MONTH) == day(last)


def test_a_holiday_moves_the_end_too():
    christmas = {day("2026-12-25"), day("2026-12-28")}
    assert due(day("2026-11-25"), MONTH, holidays=christmas) == day("2026-12-29")


@pytest.mark.parametrize(
    ("received", "last"),
    [("2026-01-31", "2026-04-28"), ("2026-02-10", "2026-05-11")],
)
def test_two_further_months_follow_the_first(received, last):
    assert due(day(received), MONTH, extension=TWO_MORE) == day(last)


def test_days_spent_waiting_for_identity_are_added_once():
    pauses = [
        Pause(day("2026-02-12"), day("2026-02-16")),
        Pause(day("2026-02-16"), day("2026-02-17")),
    ]
    assert stood_still(pauses) == 6
    assert due(day("2026-02-10"), MONTH, pauses=pauses) == day("2026-03-16")


@pytest.mark.parametrize(
    ("regime", "last"),
    [
        ("gdpr", "2026-03-10"),
        ("uk", "2026-03-10"),
        ("ccpa", "2026-03-27"),
        ("pipl", "2026-03-03"),
    ],
)
def test_each_law_has_its_own_end(regime, last):
    assert due(day("2026-02-10"), RULES[regime].period) == day(last)


def test_working_days_leave_holidays_out():
    new_year = {day("2026-02-16") + timedelta(days=n) for n in range(8)}
    found = due(day("2026-02-10"), Period(15, "working_days"), holidays=new_year)
    assert found == day("2026-03-11")


@given(st.dates(date(2020, 1, 1), date(2040, 1, 1)))
def test_the_end_is_a_working_day_and_never_late(received):
    end = due(received, MONTH)
    assert next_working_day(end) == end
    shortest = received + timedelta(days=28)
    assert shortest <= end <= shortest + timedelta(days=3 + 2)
