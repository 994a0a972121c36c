"""Folding of spelling variants: one form for one word, whoever typed it."""

import re
import unicodedata
from functools import cache
from importlib.resources import files

MAX_CHARACTERS = 16_000
"""What is kept after folding. A memory has 8,000 characters; NFKC may lengthen it."""

COMBINING = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")
APOSTROPHES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "`": "'"})


@cache
def simplified_characters() -> dict[int, str]:
    """Code point of a traditional Chinese character -> its simplified one.

    Character by character, so that a text folds the same way wherever it is cut.
    Source: OpenCC's TSCharacters table, as packaged for Python (Apache-2.0).
    """
    table = files("opencc") / "dictionary" / "TSCharacters.txt"
    pairs = (line.split() for line in table.read_text("utf-8").splitlines() if line)
    return {ord(traditional): simple for traditional, simple, *_ in pairs}


def fold_width(text: str) -> str:
    """`text` in NFKC with plain apostrophes and simplified characters; case kept."""
    folded = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])[:MAX_CHARACTERS]
    return folded.translate(APOSTROPHES).translate(simplified_characters())


def fold_case(text: str) -> str:
    """`text` in lower case without accents."""
    if text.isascii():
        return text.lower()
    bare = COMBINING.sub("", unicodedata.normalize("NFD", text.casefold()))
    return unicodedata.normalize("NFC", bare)
