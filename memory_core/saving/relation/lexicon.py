"""The word lists that say what words of a short statement mean."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from memory_core.saving.relation.normal import CJK, expand, fold
from memory_core.saving.relation.spotter import Spotter, spotter

_WORDS = Path(__file__).parent / "words"
_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:[.'_-][^\W_{CJK}]+)*[+#]*")
_CLASS = re.compile(r"<([a-z]+)>")
_IRREGULAR = {
    "went": "go", "gone": "go", "bought": "buy", "took": "take", "taken": "take",
    "written": "write", "wrote": "write", "ran": "run", "got": "get", "had": "have",
    "has": "have", "kept": "keep", "told": "tell", "said": "say", "drank": "drink",
    "ate": "eat", "eaten": "eat", "drove": "drive", "driven": "drive", "gave": "give",
    "given": "give", "taught": "teach", "saw": "see", "seen": "see", "spoke": "speak",
    "children": "child", "wives": "wife", "men": "man", "women": "woman",
    "met": "meet", "slept": "sleep", "woke": "wake", "swam": "swim", "flew": "fly",
    "rode": "ride", "wore": "wear", "chose": "choose", "began": "begin", "fell": "fall",
    "forgot": "forget", "forgotten": "forget", "hid": "hide", "hidden": "hide",
    "threw": "throw", "thrown": "throw", "lost": "lose", "won": "win", "rose": "rise",
    "led": "lead", "sold": "sell", "paid": "pay", "grew": "grow", "knew": "know",
    "mice": "mouse", "teeth": "tooth", "feet": "foot", "knives": "knife",
}  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """A phrase as tokens and the symbol it stands for.

    One that negates turns its clause, one that reverses just its own symbol.
    """

    tokens: tuple[str, ...]
    symbol: str
    negates: bool = False
    reverses: bool = False


Index = dict[str, list[Entry]]


@dataclass(frozen=True)
class Lexicon:
    """All word lists, compiled. Indexes go from first token to longest entry first."""

    symbols: Index
    values: Index
    general: Index
    stop: frozenset[str]
    persons: frozenset[str]
    kin: frozenset[str]
    predicates: frozenset[str]
    copulas: frozenset[str]
    light: frozenset[str]
    spotter: Spotter


def stem(word: str) -> str:
    """A crude English stem; other words come back as they are."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") or word.endswith("ied"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        cut = word.removesuffix(ending)
        if cut != word and len(cut) >= 3 and re.search("[aeiouy]", cut):
            word = cut
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word


def split(folded: str) -> list[str]:
    """CJK characters one by one and other words whole, from folded, expanded text."""
    return _TOKEN.findall(folded)


def phrase(text: str) -> tuple[str, ...]:
    """A lexicon phrase as the stems under which text will show it."""
    return tuple(stem(word) for word in split(expand(fold(text))))


@cache
def lexicon() -> Lexicon:
    """The word lists of this package, read once per process."""
    concepts = word_list("concepts.toml")["same"]
    classes = word_list("classes.toml")["class"]
    attributes = word_list("attributes.toml")
    cues = word_list("cues.toml")
    tokens = cues["tokens"]
    return Lexicon(
        symbols=indexed(
            [
                *_plain(tokens),
                *_members(classes),
                *_concepts(concepts),
                *_general(classes),
            ]
        ),
        values=indexed(_members(classes)),
        general=indexed(_general(classes)),
        stop=frozenset(t for w in _split(tokens["stop"]) for t in _heard(w)),
        persons=frozenset("~" + w for w in _split(tokens["person"])),
        kin=frozenset("~" + w for w in _split(tokens["kin"])),
        predicates=frozenset("~" + w for w in _split(tokens["predicate"])),
        light=frozenset("~" + w for w in _split(tokens["light"])),
        copulas=frozenset(stem(w) for w in _split(tokens["copula"])),
        spotter=spotter(
            {
                f"single.{name}": _with_members(p, classes)
                for name, p in attributes["single"].items()
            }
            | {f"many.{name}": p for name, p in attributes["many"].items()}
            | {f"cue.{name}": p for name, p in cues["cue"].items()}
        ),
    )


def _with_members(pattern: str, classes: dict[str, dict[str, str]]) -> str:
    """The pattern with all members of a class for each `<class>` in it."""
    return _CLASS.sub(lambda found: _any_of(classes[found[1]]["members"]), pattern)


def _any_of(members: str) -> str:
    words = [word for one in _split(members) for word in one.split("|")]
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def word_list(name: str) -> dict[str, Any]:
    """The contents of a TOML file of this package's word lists."""
    return tomllib.loads((_WORDS / name).read_text(encoding="utf-8"))


def _split(words: str) -> list[str]:
    return [w.strip() for w in words.split(",") if w.strip()]


def _heard(word: str) -> tuple[str, ...]:
    """A stop word as symbols: Chinese ones whole, of English phrases each word."""
    return phrase(word) if word.isascii() else ("".join(phrase(word)),)


def _plain(tokens: dict[str, str]) -> Iterator[Entry]:
    for word in _split(tokens["negation"]):
        yield Entry(phrase(word), "!", negates=True)
    for word in _split(tokens["plain"]):
        yield Entry(phrase(word), "=" + word)
    for word in _split(tokens["boundary"]):
        yield Entry(phrase(word), "|")


def _members(classes: dict[str, dict[str, str]]) -> Iterator[Entry]:
    for name, lists in classes.items():
        for member in _split(lists["members"]):
            first = member.split("|")[0]
            for word in member.split("|"):
                yield Entry(phrase(word), f"{name}:{first}")


def _general(classes: dict[str, dict[str, str]]) -> Iterator[Entry]:
    for name, lists in classes.items():
        for word in _split(lists["general"]):
            yield Entry(phrase(word), f"{name}:*")


def _concepts(concepts: dict[str, str]) -> Iterator[Entry]:
    for name, words in concepts.items():
        symbol = "~" + name.lstrip("!-")
        for word in _split(words):
            yield Entry(
                phrase(word), symbol, name.startswith("!"), name.startswith("-")
            )


def indexed(entries: Iterable[Entry]) -> Index:
    """Entries by their first token, the longest first."""
    index: Index = {}
    for entry in entries:
        if entry.tokens:
            index.setdefault(entry.tokens[0], []).append(entry)
    for found in index.values():
        found.sort(key=lambda e: -len(e.tokens))
    return index


def longest(index: Index, tokens: list[str], at: int) -> Entry | None:
    """The longest entry that begins at this token, or None."""
    for entry in index.get(tokens[at], ()):
        end = at + len(entry.tokens)
        if tuple(tokens[at:end]) == entry.tokens:
            return entry
    return None
