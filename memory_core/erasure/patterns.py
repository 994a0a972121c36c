"""How a person's identifiers look in other people's texts; and texts without them.

One regular expression for each identifier, in the part of the syntax that PostgreSQL
and Python share, so that what is found there is what is replaced here.
"""

import re
import unicodedata
from collections.abc import Iterable

from memory_core.contracts.erasure import Identifier, IdentifierKind

REDACTED = "[redacted]"
SHORTEST_OWNER_ID = 4
"""Owner ids below this length would be found everywhere, and are not looked for."""
SHORTEST_NUMBER = 7
NOT_AFTER = "(?<![A-Za-z0-9])"
NOT_BEFORE = "(?![A-Za-z0-9])"
GAP = r"[\s().-]{0,3}"


def pattern_of(identifier: Identifier) -> str:
    """Return a case-insensitive regular expression, empty if none would be of use."""
    value = unicodedata.normalize("NFC", identifier.value).strip()
    if identifier.kind == IdentifierKind.PHONE:
        return _number(value)
    if identifier.kind == IdentifierKind.OWNER and len(value) < SHORTEST_OWNER_ID:
        return ""
    words = [re.escape(word) for word in value.split()]
    return _bounded(r"\s+".join(words)) if words else ""


def pattern_of_all(identifiers: Iterable[Identifier]) -> str:
    """Return one expression for all of them, empty if there is none."""
    found = {pattern for one in identifiers if (pattern := pattern_of(one))}
    return "|".join(f"(?:{pattern})" for pattern in sorted(found))


def kinds_in(
    text: str, identifiers: Iterable[Identifier]
) -> tuple[IdentifierKind, ...]:
    """Return by which kinds of identifiers the text names the person."""
    found = {
        one.kind
        for one in identifiers
        if (pattern := pattern_of(one)) and re.search(pattern, text, re.IGNORECASE)
    }
    return tuple(sorted(found))


def redact(text: str, identifiers: Iterable[Identifier]) -> str:
    """Return the text with a mark in the place of each identifier."""
    pattern = pattern_of_all(identifiers)
    return re.sub(pattern, REDACTED, text, flags=re.IGNORECASE) if pattern else text


def _number(value: str) -> str:
    """The digits with the usual gaps; a country code may stand before them or not."""
    digits = re.sub(r"\D", "", unicodedata.normalize("NFKC", value))
    if len(digits) < SHORTEST_NUMBER:
        return ""
    if digits.startswith("86") and len(digits) == 13:
        digits = digits[2:]  # a Chinese mobile number is mostly written without it
    return f"(?<![0-9]){GAP.join(digits)}(?![0-9])"


def _bounded(pattern: str) -> str:
    """Latin words end where other signs begin; Chinese ones stand in running text."""
    before = NOT_AFTER if re.match(r"[A-Za-z0-9]", pattern) else ""
    after = NOT_BEFORE if re.search(r"[A-Za-z0-9]$", pattern) else ""
    return f"{before}{pattern}{after}"
