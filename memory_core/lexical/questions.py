"""Whether a memory only asks."""

import re

TAIL = 24
"""Characters at the end of a text that decide."""

ASKS = re.compile(r"(?:[?？]|[吗呢么](?=\W*$))\W*$")


def asks(text: str) -> bool:
    """Whether `text` closes with a question: such a memory rarely answers one."""
    return ASKS.search(text.rstrip()[-TAIL:]) is not None
