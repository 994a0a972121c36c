"""Remembered text made harmless where it stands in a prompt.

It cannot close our fence, open a role or a chat marker, break out of its line, hide
characters, or be rendered as a link or an image.
"""

import re
import unicodedata

HIDDEN = re.compile("[\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Fillers and variation selectors, which no general category gives away."""
SIGNS = str.maketrans(
    {
        **dict.fromkeys("<\uff1c\ufe64\u2329\u27e8\u3008", "\u2039"),
        **dict.fromkeys(">\uff1e\ufe65\u232a\u27e9\u3009", "\u203a"),
        **dict.fromkeys("[\uff3b\u3010", "("),
        **dict.fromkeys("]\uff3d\u3011", ")"),
    }
)
WEB = re.compile(r"\bhttp(s?)\s*:\s*//\s*([^\s/]*)", re.IGNORECASE)
SCHEME = re.compile(r"\b([a-z][a-z0-9+.-]{1,20})\s*:\s*//", re.IGNORECASE)
ACTIVE = re.compile(r"\b(javascript|data|vbscript|mailto)\s*:(?=\S)", re.IGNORECASE)
WWW = re.compile(r"\bwww\.", re.IGNORECASE)


def inert(text: str) -> str:
    """Return `text` on one line, without anything that a reader might act on."""
    shown = "".join(
        " " if unicodedata.category(char)[0] == "C" else char for char in text
    )
    flat = " ".join(HIDDEN.sub("", shown).split())
    return _without_links(flat.translate(SIGNS))


def inert_label(text: str, most: int = 40) -> str:
    """Return a name that cannot be taken for another part of a label."""
    return inert(text).replace(";", ",")[:most].strip()


def _without_links(text: str) -> str:
    """Addresses stay readable for people and are none for machines."""
    text = WEB.sub(lambda m: f"hxxp{m[1]}://{m[2].replace('.', '[.]')}", text)
    text = SCHEME.sub(
        lambda m: m[0] if m[1] in ("hxxp", "hxxps") else f"{m[1]}[:]//", text
    )
    return WWW.sub("www[.]", ACTIVE.sub(r"\1[:]", text))
