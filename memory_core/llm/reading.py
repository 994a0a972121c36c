"""Extract JSON from a model's reply that may have other text around it."""

import json
import re
from typing import Any

_DECODER = json.JSONDecoder()
_START = re.compile(r"[\[{]")
MOST_STARTS = 200


def json_in(text: str) -> Any:
    """Return the first JSON array or object in `text`; raises ValueError."""
    for number, start in enumerate(_START.finditer(text)):
        if number == MOST_STARTS:
            break
        try:
            value, _ = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        return value
    raise ValueError("no JSON in the answer")
