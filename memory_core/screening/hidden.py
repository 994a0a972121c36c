"""Hidden channels: characters that a reader does not see and a model does."""

import re
from collections.abc import Iterator

_LETTERS_THAT_JOIN = (
    "\u0600-\u07ff\u0860-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f"
    "\u1780-\u18af\ufb50-\ufdff\ufe70-\ufeff"
)
_EMOJI = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_VARIATION = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_TAG = "\U000e0020-\U000e007f"

# What is right and removed before the search: each is a documented use of Unicode.
_LEGITIMATE = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,7}\U000e007f"  # flags
    f"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"  # emoji families
    f"|(?<=[{_EMOJI}0-9#*])[\ufe0e\ufe0f]"  # emoji or text presentation
    "|(?<=[\u3400-\u9fff])[\ufe00-\ufe02\U000e0100-\U000e01ef]"  # forms of a hanzi
    f"|(?<=[{_LETTERS_THAT_JOIN}])[\u200c\u200d]"  # Persian and Indic joiners
    "|[\u200e\u200f\u061c]"  # Hebrew and Arabic direction marks
    "|(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b"  # breaks in Thai, Khmer
    "|^\ufeff"  # a byte order mark
)
_FINDINGS = (
    ("hidden.tags", re.compile(f"[\U000e0000-\U000e0001{_TAG}]")),
    ("hidden.variation", re.compile(f"[{_VARIATION}]")),
    (
        "hidden.zero_width",
        re.compile(
            "[\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]"
        ),
    ),
    ("hidden.blank", re.compile("[\u115f\u1160\u3164\uffa0\u2800]{2,}")),
    ("hidden.override", re.compile("[\u202d\u202e]")),
    ("hidden.control", re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")),
    ("hidden.combining", re.compile("[\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff]{4,}")),
)
_EMBEDDING = re.compile("[\u202a-\u202c\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_TAG_TEXT = re.compile(f"[{_TAG}]{{4,}}")
_VARIATION_BYTES = re.compile(f"[{_VARIATION}]{{4,}}")


def find_hidden(raw: str) -> list[str]:
    """Return the rule ids of the hidden channels in the raw text, in a fixed order."""
    text = raw if raw.isascii() else _LEGITIMATE.sub("", raw)
    found = [rule for rule, pattern in _FINDINGS if pattern.search(text)]
    if _EMBEDDING.search(text) and not _RIGHT_TO_LEFT.search(text):
        found.append("hidden.override")
    return list(dict.fromkeys(found))


def hidden_text(raw: str) -> Iterator[str]:
    """Yield what tag characters and variation selectors spell out."""
    if raw.isascii():
        return
    for match in _TAG_TEXT.finditer(raw):
        yield "".join(chr(ord(char) - 0xE0000) for char in match.group())
    for match in _VARIATION_BYTES.finditer(raw):
        yield bytes(map(_selector_byte, match.group())).decode("utf-8", "replace")


def _selector_byte(char: str) -> int:
    code = ord(char)
    return code - 0xFE00 if code <= 0xFE0F else code - 0xE0100 + 16
