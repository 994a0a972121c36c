"""Signs of numbers, of places on the earth, of blood groups and grades."""

from __future__ import annotations

import re

from memory_core.saving.relation.normal import BARE_FRACTION

_NUMERAL = r"[\d一二三四五六七八九十百千]"
_MINUS = re.compile(
    r"\b(?:minus|negative)\s+(?=[$\u20ac\u00a3]?\d|(?:one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty)\b)"
    rf"|(?:零下|负)\s*(?={_NUMERAL})"
)
_BELOW_ZERO = re.compile(
    r"(\d+(?:\.\d+)?(?:\s?(?:degrees?|°)(?: ?[cf]\b| celsius| fahrenheit)?)?)"
    r" below (?:zero|freezing)"
)
_PLACE = re.compile(
    r"(?P<lat>\d+(?:\.\d+)?)\s*°?\s*(?P<ns>[ns])\b[\s,;]*"
    r"(?P<lon>\d+(?:\.\d+)?)\s*°?\s*(?P<ew>[ew])\b"
)
_SIGNED = re.compile(r"blood|血|\brh\b|\bgrade[ds]?\b|成绩|评级")
_LETTER = re.compile(
    r"(?<![a-z])(?P<group>ab|[a-fo])\s?(?:型)?\s?(?:rh\s?)?"
    r"(?:(?P<plus>\+|阳性?|positive)|(?P<minus>-|阴性?|negative))(?![a-z\d])"
)


def spelled_signs(folded: str) -> str:
    """Folded text in which signs of numbers are written in one way.

    "minus 18", "零下18" and "18 degrees below zero" become "-18"; south and west are
    negative; the sign of a blood group or a grade is a word.
    """
    folded = BARE_FRACTION.sub("0.", folded)
    folded = _BELOW_ZERO.sub(r"-\1", _MINUS.sub("-", folded))
    folded = (
        _PLACE.sub(_signed_place, folded).replace("南纬", "纬-").replace("西经", "经-")
    )
    return _LETTER.sub(_named_sign, folded) if _SIGNED.search(folded) else folded


def _signed_place(match: re.Match[str]) -> str:
    south = "-" if match["ns"] == "s" else ""
    west = "-" if match["ew"] == "w" else ""
    return f"{south}{match['lat']}, {west}{match['lon']}"


def signed_letters(folded: str) -> set[tuple[str, str]]:
    """The blood groups or grades of folded text that have a sign, each with it."""
    if not _SIGNED.search(folded):
        return set()
    return {(m["group"], _sign_of(m)) for m in _LETTER.finditer(folded)}


def _named_sign(match: re.Match[str]) -> str:
    return f"{match['group']} {_sign_of(match)}"


def _sign_of(match: re.Match[str]) -> str:
    return "positive" if match["plus"] else "negative"
