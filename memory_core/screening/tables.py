"""Character tables, read once from the package's data files."""

import unicodedata
from functools import cache
from importlib.resources import files

_INVISIBLE = {"Mn", "Me", "Cf"}
# Unicode calls these letters or blanks, a reader sees nothing.
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5"
_PUNCTUATION = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "「": '"', "」": '"',
    "『": '"', "』": '"', "‘": "'", "’": "'", "`": "'", "´": "'",
    "–": "-", "—": "-", "―": "-", "−": "-", "、": ",",
}  # fmt: skip


def read_pairs(name: str) -> dict[str, str]:
    """Return the two tab-separated columns of a data file as a mapping."""
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    return dict(line.split("\t") for line in text.splitlines() if line)


@cache
def fold_table() -> dict[int, str | None]:
    """Return the `str.translate` table of the canonical view.

    It drops format and combining characters, writes traditional Chinese characters as
    simplified ones and unifies quotation marks and dashes. Apply it after NFKC.
    """
    table: dict[int, str | None] = {
        code: None
        for code in (*range(0x20000), *range(0xE0000, 0xE1000))
        if unicodedata.category(chr(code)) in _INVISIBLE
    }
    table |= {ord(char): None for char in _BLANK_LETTERS}
    table |= {ord(old): new for old, new in read_pairs("hanzi.tsv").items()}
    return table | {ord(old): new for old, new in _PUNCTUATION.items()}


@cache
def confusables() -> dict[str, str]:
    """Return look-alike letters of other scripts with the Latin letter they imitate."""
    return read_pairs("confusables.tsv")
