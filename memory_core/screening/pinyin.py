"""Chinese written in Latin letters: pinyin of the words that orders are made of."""

import re
from functools import cache
from importlib.resources import files

from memory_core.screening.spelling import vocabulary

_INITIALS = re.compile(r"(?<![\w/.+=-])[a-hj-tw-z]{9,80}(?![\w/.+=-])")


@cache
def _words() -> tuple[re.Pattern[str], dict[str, str]]:
    text = files(__package__).joinpath("data", "pinyin.tsv").read_text("utf-8")
    table = dict(line.split("\t") for line in text.splitlines() if line)
    ordered = sorted(table, key=len, reverse=True)
    pattern = "|".join(" ?".join(spelling.split(" ")) for spelling in ordered)
    flat = {spelling.replace(" ", ""): word for spelling, word in table.items()}
    return re.compile(
        rf"(?<![A-Za-z0-9%&#\\])(?:(?:{pattern})[ '-]?)+(?![A-Za-z0-9])"
    ), flat


def from_pinyin(text: str) -> str | None:
    """Return the text with known pinyin words as characters; None if below two."""
    pattern, table = _words()
    changed = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal changed
        words = _split(match.group(), table)
        changed += len(words)
        return "".join(words)

    result = pattern.sub(replace, text)
    return result if changed >= 2 else None


def has_initials(text: str) -> bool:
    """Return whether a canonical text hides a run of pinyin initials.

    No syllable begins with i, u or v, and few with a vowel, so that a run of nine
    letters without them is no word of either language, but for "strengths".
    """
    return any(
        sum(letter in "aeo" for letter in run) * 9 <= len(run)
        and run not in vocabulary()
        for run in _INITIALS.findall(text)
    )


def _split(run: str, table: dict[str, str]) -> list[str]:
    letters = re.sub("[^a-z]", "", run)
    words: list[str] = []
    at = 0
    while at < len(letters):
        for end in range(min(len(letters), at + 24), at, -1):
            if letters[at:end] in table:
                words.append(table[letters[at:end]])
                at = end
                break
        else:
            return words
    return words
