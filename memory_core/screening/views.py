"""The views of one text that a model might read: plain, unspaced, decoded, reversed."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_core.screening.canonical import canonical, fold_lookalikes
from memory_core.screening.decoding import decoded_views
from memory_core.screening.hidden import hidden_text
from memory_core.screening.pinyin import from_pinyin
from memory_core.screening.spelling import (
    is_known,
    known_share,
    respelled,
    segment,
)

MAX_VIEWS = 24

_MARKUP = re.compile(
    r"</?(?:b|i|u|em|strong|span|p|div|font|br|code|sub|sup|mark|s|del|small|h\d)"
    r"\b[^<>]{0,80}>|[*~`]+|(?<![^\W_])_+|_+(?![^\W_])"
)
_LOOSE_MARK = re.compile(r"(?<=\w) (?=[.,;:!?)\]](?:\s|$)|\])|(?<=[\[(/<]) (?=[\w/])")
_LEADING_MARK = re.compile(r"(?<!\S)([.,;:!?]+)([^\s.,;:!?]+)")
_TIGHT_MARK = re.compile(r"(?<=[a-z])([,;:!?]\"?)(?=[a-z]{2})")
_LOOSE_SCHEME = re.compile(r" ?: ?/ ?/ ?")
_HAN = "[\u3400-\u9fff]"
_GAP = r"[^\w\n\u3400-\u9fff]{1,3}"
_SPACED_HAN = re.compile(f"{_HAN}(?:(?:{_GAP}|\n){_HAN}){{2,}}")
_HAN_BLANK = re.compile(f"(?<={_HAN}) +(?={_HAN})")
_HAN_BREAK = re.compile("(?<=[\u3400-\u9fff,:]) ?\n ?(?=[\u3400-\u9fff,:])")
_GAPS = re.compile(r"[^\w\u3400-\u9fff]+")
_EMPTY_GAPS = re.compile(r"[^\w\u3400-\u9fff,:;!?\"'()]+")
_SPACED_LETTERS = re.compile(r"(?<!\w)\w(?:[^\w\n?=&/]{1,3}\w){3,}(?!\w)", re.ASCII)
_RUN_TOGETHER = re.compile(r"[a-z]{9,400}")
_LONG_RUN = 20  # letters; longer than almost any word
_LONG_RUNS = re.compile(f"[a-z]{{{_LONG_RUN},}}")
MOST_JOINED = 2_000  # letters of runs that are taken apart in one text
_JOINED = re.compile(r"(?<![a-z])[a-z]{1,24}(?:[-_./|][a-z]{1,24}){3,}(?![a-z])")
_BROKEN_WORD = re.compile(r"(?<=[a-z])-?\n(?=[a-z])")
_LEET_WORD = re.compile(r"(?<![\w%&#\\])[a-z\d@$!|+]{2,24}", re.ASCII)
_LEET_INSIDE = re.compile(r"[a-z][\d@$!|+]|[\d@$!|+][a-z]")
_LEET = str.maketrans("0134578@$!|+926", "oieastbasiitgzg")
_LEET_L = str.maketrans("0134578@$!|+926", "oleastbaslltgzg")
_FAMILIAR = 0.5  # share of known words above which a text is read as it stands


@dataclass(frozen=True, slots=True)
class View:
    """One reading of a text: canonical as it stands, and with its disguises off.

    Taking disguises off loses no word, so that sentences are judged in `clean` only.
    """

    plain: str
    clean: str


def views_of(raw: str) -> Iterator[View]:
    """Yield the readings of a raw text, the literal one first, each once."""
    seen: set[str] = set()
    for view in _all_views(raw):
        if view.clean and view.clean not in seen:
            seen.add(view.clean)
            yield view
            if len(seen) == MAX_VIEWS:
                return


def clean_view(raw: str) -> str:
    """Return the literal reading of a raw text, its disguises off."""
    return _uncovered(canonical(raw))


def tells_more(view: View, literal: View) -> bool:
    """Return whether a text reads like words in this view, and not as it stands."""
    return known_share(literal.plain) < _FAMILIAR <= known_share(view.clean)


def letters_run_together(view: str) -> int:
    """Return how many letters of a view are in runs that no words are as long as."""
    return sum(map(len, _LONG_RUNS.findall(view)))


def _all_views(raw: str) -> Iterator[View]:
    yield from _readings(raw)
    for hidden in (*hidden_text(raw), *decoded_views(raw)):
        yield from _readings(hidden)


def _readings(raw: str) -> Iterator[View]:
    """Yield a text without disguises, and what it says backwards, rotated, decoded."""
    plain = canonical(raw)
    clean = _uncovered(plain)
    yield View(plain, clean)
    for other in _turned(clean):
        yield View(other, other)
    if clean != plain:
        for hidden in decoded_views(clean):
            text = canonical(hidden)
            yield View(text, _uncovered(text))


def _uncovered(plain: str) -> str:
    """Return a canonical text without markup, gaps, cut lines and leet."""
    text = fold_lookalikes(_MARKUP.sub("", plain))
    text = _join_lines(_close_gaps(text))
    text = _LOOSE_SCHEME.sub("://", _LOOSE_MARK.sub("", text.replace("  ", " ")))
    text = _TIGHT_MARK.sub(r"\1 ", text)
    return _LEET_WORD.sub(_unleet, text) if _LEET_INSIDE.search(text) else text


def _close_gaps(text: str) -> str:
    """Return the text without gaps between single characters."""
    text = _SPACED_HAN.sub(_unspaced_han, text)
    text = _HAN_BLANK.sub("", text)
    text = _SPACED_LETTERS.sub(_unspaced, text)
    text = _RUN_TOGETHER.sub(_Unjoining(), text)
    return _JOINED.sub(_unjoined, text)


def _join_lines(text: str) -> str:
    """Return the text with short lines joined: a sentence may be cut into lines."""
    count = text.count("\n") + 1
    if count < 3 or len(text) > 40 * count:
        return text
    joined = _BROKEN_WORD.sub(" ", _HAN_BREAK.sub("", text)).replace("\n", " ")
    return _close_gaps(joined)


def _unspaced_han(match: re.Match[str]) -> str:
    """Return spaced characters closed up; punctuation stays unless it is the gap."""
    run = match.group()
    gaps = _GAPS.findall(run)
    if sum("," in gap for gap in gaps) * 2 > len(gaps):
        return _GAPS.sub("", run)
    return _EMPTY_GAPS.sub("", run)


def _unspaced(match: re.Match[str]) -> str:
    """Return spaced letters as words; a wider gap is a space between words."""
    run = match.group()
    wide = re.split(r"[^\w]{2,}", run)
    if len(wide) > 1 and any(len(part) > 2 for part in wide):
        return " ".join(_GAPS.sub("", part) for part in wide)
    letters = _GAPS.sub("", run)
    return segment(letters) if letters.isalpha() else letters


class _Unjoining:
    """Takes runs of letters apart until it has had enough of them."""

    def __init__(self) -> None:
        self._left = MOST_JOINED

    def __call__(self, match: re.Match[str]) -> str:
        """Return a run as words, a short one only if all of them are known."""
        run = match.group()
        if is_known(run) or len(run) > self._left:
            return run
        self._left -= len(run)
        words = segment(run)
        sure = len(run) >= _LONG_RUN or all(map(is_known, words.split()))
        return words if sure else run


def _unjoined(match: re.Match[str]) -> str:
    words = re.split(r"[-_./|]", match.group())
    known = sum(is_known(word) for word in words)
    return " ".join(words) if known * 2 > len(words) else match.group()


def _unleet(match: re.Match[str]) -> str:
    word = match.group()
    if word.isalpha() or word.isdigit():
        return word
    for table in (_LEET, _LEET_L):
        for candidate in (word.rstrip("!|"), word):
            plain = candidate.translate(table)
            if plain != candidate and is_known(plain):
                return plain
    return word


def _turned(text: str) -> Iterator[str]:
    """Yield rot13, reversed and pinyin readings where they make words known."""
    for change in (_rot13, _mirrored):
        other = respelled(text, change)
        if other:
            yield _LEADING_MARK.sub(r"\2\1", other)
    share = known_share(text)
    backwards = text[::-1]
    if share < _FAMILIAR and known_share(backwards) > share:
        yield backwards
    chinese = from_pinyin(text)
    if chinese:
        yield chinese


def _rot13(word: str) -> str:
    return codecs.encode(word, "rot13")


def _mirrored(word: str) -> str:
    return word[::-1]
