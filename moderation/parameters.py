"""Ids and numbers in an address or a form, as anybody may have typed them."""

import re
from typing import TypeVar
from uuid import UUID

Default = TypeVar("Default")

DIGITS = re.compile(r"[0-9]{1,19}")  # int() takes other scripts' digits too
MOST = 2**63 - 1  # what a bigint holds


def uuid_or_none(text: str) -> UUID | None:
    """Return the id that a text is, None for any other text."""
    try:
        return UUID(text)
    except ValueError:
        return None


def number_or(text: str, default: Default) -> int | Default:
    """Return the number from 0 to MOST that a text is, else the default."""
    if not DIGITS.fullmatch(text) or int(text) > MOST:
        return default
    return int(text)
