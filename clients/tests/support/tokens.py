"""Tokens of a real service."""

from __future__ import annotations

import os
from pathlib import Path


def fresh_token() -> str:
    """Return the token of an agent that has saved nothing; it leaves the file."""
    path = Path(os.environ["MNEME_TEST_TOKENS"])
    first, *rest = path.read_text().split()
    path.write_text("\n".join(rest))
    return first
