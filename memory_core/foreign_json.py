"""JSON that others wrote: whatever stands in a text, it is a value or a ValueError.

For a text like `[[[[` the decoder of the standard library raises RecursionError, and
so does whoever walks a value that it only just managed to read.
"""

import json
import re
from typing import Any

DEEPEST = 64
"""Levels of objects and lists; the portable format has fewer than a dozen."""

_PLAIN = json.JSONDecoder()
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class TooDeep(ValueError):
    """The text has more levels than anybody means."""


def loads(
    text: str | bytes, decoder: json.JSONDecoder = _PLAIN, *, deepest: int = DEEPEST
) -> Any:
    """Return the value of a JSON text; raises ValueError, of the kind TooDeep too."""
    plain = text.decode("utf-8") if isinstance(text, bytes) else text
    try:
        value = decoder.decode(plain)
    except RecursionError:
        raise TooDeep(f"more than {deepest} levels") from None
    if plain.count("{") + plain.count("[") > deepest and _depth(value) > deepest:
        raise TooDeep(f"more than {deepest} levels")
    return value


def unescaped(text: str) -> str:
    """Return a text with JSON's escapes resolved, whether it is JSON or not."""
    units = _ESCAPE.sub(_character, text).encode("utf-16-le", "surrogatepass")
    return units.decode("utf-16-le", "replace")  # two halves make one character


def _character(found: re.Match[str]) -> str:
    code, sign = found.groups()
    return chr(int(code, 16)) if code else _CONTROLS.get(sign, sign)


def _depth(value: Any) -> int:
    """Return the number of levels, counted without recursion."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        item, level = waiting.pop()
        if isinstance(item, dict | list):
            deepest = max(deepest, level)
            inner = item.values() if isinstance(item, dict) else item
            waiting.extend((child, level + 1) for child in inner)
    return deepest
