import pytest

from memory_core.saving.relation.measures import clashing, measures, plain_units
from memory_core.saving.relation.signs import spelled_signs


@pytest.mark.parametrize(
    ("text", "unit", "bound"),
    [
        ("$900", "dollar", ""),
        ("900 dollars", "dollar", ""),
        ("usd 900", "dollar", ""),
        ("900块", "yuan", ""),
        ("20%", "percent", ""),
        ("25 degrees celsius", "celsius", ""),
        ("no more than 5 kg", "kilogram", "upper"),
        ("更多, 至少要喝8杯", "", "lower"),
        ("100件以上", "", "lower"),
        ("100 words or fewer", "", "upper"),
    ],
)
def test_a_number_has_its_unit_and_bound(text, unit, bound):
    assert [measure[1:] for measure in measures(text)] == [(unit, bound)]


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("$900", "€900", True),
        ("$900", "900 dollars", False),
        ("900", "900 dollars", False),
        ("25 degrees", "25 °c", False),
        ("25 °f", "25 °c", True),
        ("at least 5", "at most 5", True),
        ("more than 5", "5 or more", False),
    ],
)
def test_one_figure_may_measure_two_things(one, other, clash):
    assert bool(clashing(measures(one), measures(other))) is clash


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("minus 18 degrees", "-18 degrees"),
        ("18 degrees below zero", "-18 degrees"),
        ("零下18度", "-18度"),
        ("40.7s 74e", "-40.7, 74"),
        ("blood type ab-", "blood type ab negative"),
        ("a- and b-", "a- and b-"),
    ],
)
def test_signs_are_written_in_one_way(text, written):
    assert spelled_signs(text) == written


def test_units_that_mean_the_same_look_alike():
    assert plain_units("900 dollars") == plain_units("usd 900") == "900"
    assert plain_units("18°") == plain_units("18 degrees") == "18 degrees"
    assert plain_units("设为26℃".replace("℃", "°c")) == "设为26度"
