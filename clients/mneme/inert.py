"""Remembered text made harmless where it stands in a prompt, as the service does it.

It cannot close our fence, open a role or a chat marker, break out of its line, hide
characters, or be rendered as a link or an image.
"""

from __future__ import annotations

import re
import unicodedata

# Fillers and variation selectors, which no general category gives away.
_HIDDEN = re.compile("[\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("<\uff1c\ufe64\u2329\u27e8\u3008", "\u2039"),
        **dict.fromkeys(">\uff1e\ufe65\u232a\u27e9\u3009", "\u203a"),
        **dict.fromkeys("[\uff3b\u3010", "("),
        **dict.fromkeys("]\uff3d\u3011", ")"),
    }
)
_WEB = re.compile(r"\bhttp(s?)\s*:\s*//\s*([^\s/]*)", re.IGNORECASE)
_SCHEME = re.compile(r"\b([a-z][a-z0-9+.-]{1,20})\s*:\s*//", re.IGNORECASE)
_ACTIVE = re.compile(r"\b(javascript|data|vbscript|mailto)\s*:(?=\S)", re.IGNORECASE)
_WWW = re.compile(r"\bwww\.", re.IGNORECASE)


def inert(text: str) -> str:
    """Return `text` on one line, without anything that a reader might act on."""
    shown = "".join(
        letter if unicodedata.category(letter)[0] != "C" else " " for letter in text
    )
    flat = " ".join(_HIDDEN.sub("", shown).split())
    return _without_links(flat.translate(_SIGNS))


def inert_label(text: str, most: int = 40) -> str:
    """Return a name that cannot be taken for another part of a label."""
    return inert(text).replace(";", ",")[:most].strip()


def _without_links(text: str) -> str:
    """Addresses stay readable for people and are none for machines."""
    text = _WEB.sub(lambda m: f"hxxp{m[1]}://{m[2].replace('.', '[.]')}", text)
    text = _SCHEME.sub(
        lambda m: m[0] if m[1] in ("hxxp", "hxxps") else f"{m[1]}[:]//", text
    )
    return _WWW.sub("www[.]", _ACTIVE.sub(r"\1[:]", text))
