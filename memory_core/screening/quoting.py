"""What a text quotes of somebody else: reported words, in quotation marks."""

import re
from collections.abc import Sequence

Span = tuple[int, int]

# A word that says that words follow, a few signs, and a quotation of some length: a
# short one ("when he says 'go'") names a word and reports nothing.
_REPORTED = re.compile(
    r"(?:\b(?:reads?|says?|said|saying|states?|stated|w(?:rote|rites?|ritten)|goes|"
    r"claim(?:s|ed|ing)|contain(?:s|ed|ing)|literally|text|line|sentence|phrase|words|"
    r"titled|posted)\b|写着|写的是|写道|写了|里写|说是?|声称|内容[是为]|原文|标题|字样|"
    r"白字|留言|一[句行段])"
    r"[^'\"\n]{0,12}"
    r"(?:\"([^\"\n]{12,400})\"|'((?:[^'\n]|'(?=[a-z])){12,400})')"
)
_PART = 3


def quotations(view: str) -> list[Span]:
    """Return where in a canonical view reported words stand."""
    found = _REPORTED.finditer(view)
    return [match.span(1 if match[1] is not None else 2) for match in found]


def is_quoted(start: int, end: int, spans: Sequence[Span]) -> bool:
    """Return whether at least a third of a window is reported words."""
    shared = sum(max(0, min(end, last) - max(start, first)) for first, last in spans)
    return shared * _PART >= end - start
