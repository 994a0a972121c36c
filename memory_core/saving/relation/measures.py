"""What a number measures and which way it bounds: 900 dollars, at least 100, 20 %.

Figures alone make "$900" and "€900" one value. Two texts that give one figure to
different measures name different values; where one of them names no measure, the
figure decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from memory_core.saving.relation.atoms import find_atoms
from memory_core.saving.relation.lexicon import word_list
from memory_core.saving.relation.normal import CJK
from memory_core.saving.relation.signs import spelled_signs

_NEAR = 28  # characters beside a number in which its bound stands
_HAN = re.compile(f"[{CJK}]")
_DEGREES = re.compile(
    r"(?<=[\d十百])\s?(?:[°度] ?[cf]?|degrees? (?:c|f|celsius|fahrenheit)|celsius"
    r"|fahrenheit|(?:摄氏|华氏)度)(?![a-z])"
)
_MONEY = re.compile(
    r"(?<=\d)\s?(?:us ?dollars?|dollars?|bucks|usd|euros?|eur|pounds? sterling|gbp)\b"
    r"|\b(?:usd|eur|gbp)\s?(?=\d)"
)
_YUAN = re.compile(r"(?<=[\d十百千万])(?:块钱|块|元人民币|人民币)")
_PERCENT = re.compile(r"(?<=\d)\s?(?:percent|per cent|pct)\b")


class Measure(NamedTuple):
    """A figure with its unit and bound; empty where the text names none."""

    value: float
    unit: str
    bound: str


class _Patterns(NamedTuple):
    unit_before: re.Pattern[str]
    unit_after: re.Pattern[str]
    bound_before: re.Pattern[str]
    bound_after: re.Pattern[str]
    plainer: Mapping[str, frozenset[str]]


@cache
def _patterns() -> _Patterns:
    words = word_list("measures.toml")
    units = "|".join(
        f"(?P<{name}>{_bounded(pattern)})" for name, pattern in words["unit"].items()
    )
    bound = words["bound"]
    upper, lower = _bounded(bound["upper"]), _bounded(bound["lower"])
    upper_after, lower_after = bound["upper_after"], bound["lower_after"]
    return _Patterns(
        re.compile(rf"(?:{units})\s?-?$"),
        re.compile(rf"\s?(?:{units})"),
        re.compile(
            rf"(?:(?P<upper>{upper})|(?P<lower>{lower}))"
            rf"(?:\s?(?:of |about |around )?|[{CJK}]{{0,4}})[$€£¥]?\s?-?$"
        ),
        re.compile(
            rf"(?:\s?[a-z%°]+|[{CJK}%]{{0,3}})?\s?"
            rf"(?:(?P<upper>{upper_after})|(?P<lower>{lower_after}))"
        ),
        {name: frozenset(others.split()) for name, others in words["same"].items()},
    )


def _bounded(pattern: str) -> str:
    """The alternatives of a pattern, of which Latin words are matched whole."""
    return rf"(?:(?<![a-z])(?:{pattern})(?![a-z]))"


def plain_units(text: str) -> str:
    """Text in which units that are words or signs alike look alike."""
    degrees = "度" if _HAN.search(text) else " degrees"
    text = _YUAN.sub("元", _MONEY.sub("", _PERCENT.sub("%", text)))
    return _DEGREES.sub(degrees, text)


def measures(folded: str) -> frozenset[Measure]:
    """The numbers of folded text that have a unit or a bound."""
    text = spelled_signs(folded)
    found = set()
    for atom in find_atoms(text):
        if atom.kind == "num":
            before = text[max(0, atom.start - _NEAR) : atom.start]
            after = text[atom.end : atom.end + _NEAR]
            unit, bound = _unit(before, after), _bound(before, after)
            if unit or bound:
                found.add(Measure(atom.value, unit, bound))
    return frozenset(found)


def _unit(before: str, after: str) -> str:
    patterns = _patterns()
    match = patterns.unit_after.match(after) or patterns.unit_before.search(before)
    return (match.lastgroup or "") if match else ""


def _bound(before: str, after: str) -> str:
    patterns = _patterns()
    match = patterns.bound_before.search(before) or patterns.bound_after.match(after)
    if not match:
        return ""
    return "upper" if match["upper"] else "lower"


def clashing(old: frozenset[Measure], new: frozenset[Measure]) -> set[float]:
    """The figures that both texts name, of which each makes another value."""
    shared = {m.value for m in old} & {m.value for m in new}
    return {value for value in shared if _differs(_of(old, value), _of(new, value))}


def _of(found: frozenset[Measure], value: float) -> list[Measure]:
    return [measure for measure in found if measure.value == value]


def _differs(old: list[Measure], new: list[Measure]) -> bool:
    units = {m.unit for m in old if m.unit}, {m.unit for m in new if m.unit}
    bounds = {m.bound for m in old if m.bound}, {m.bound for m in new if m.bound}
    return _apart(*units) or _apart(*bounds)


def _apart(one: set[str], other: set[str]) -> bool:
    """Whether both name something and nothing of it agrees."""
    if not one or not other:
        return False
    return not any(_agree(a, b) for a in one for b in other)


def _agree(one: str, other: str) -> bool:
    plainer = _patterns().plainer
    return (
        one == other or one in plainer.get(other, ()) or other in plainer.get(one, ())
    )
