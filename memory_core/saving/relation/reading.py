"""What a statement says, read once: meanings, values, numbers, polarity, subject."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from memory_core.saving.relation.atoms import find_atoms
from memory_core.saving.relation.lexicon import Lexicon, lexicon, longest, split, stem
from memory_core.saving.relation.measures import Measure, measures, plain_units
from memory_core.saving.relation.normal import CJK, expand, fold
from memory_core.saving.relation.opposites import said_words
from memory_core.saving.relation.signs import spelled_signs
from memory_core.saving.relation.wordvectors import LONGEST, UNKNOWN, table

# Longer texts are judged by their beginning: a memory is a short statement, and the
# cost of a pair has a bound.
LIMIT = 400

_CLAUSE = re.compile(r"[,.;:!?，。；：！？、\n](?!\d)|\s-\s")
_BREAK = "\u0001"
ATOM = "\u0002"
_OWNER_SYMBOL = "~owner_word"
_SILENT = frozenset((_BREAK, "|", "!"))
_OPENERS = re.compile(
    r"^(?:(?:oh|yes|yeah|exactly|absolutely|honestly|actually|you know|"
    r"that reminds me|that makes sense|speaking of [^,.!]{1,60}|that is [^,.!]{1,40}|"
    r"hi|hello|okay|ok|well|by the way|好的|嗯|对了|话说|其实|你知道|顺便说一下)"
    r"[,!.，。！:]+\s*)+"
)
_PROPER = re.compile(r"(?<![A-Za-z\d])(?:[A-Z]|[A-Za-z]*\d)[A-Za-z\d]*")
_ZH = re.compile(f"[{CJK}]")
_EMPTY = np.zeros(0, dtype=np.float32)
MOST_WORDS = 48


@dataclass
class Token:
    """A word or a CJK character: its stem, how it was written, its polarity.

    ``sign`` is 0 for words that carry no meaning of their own here; ``said`` is the
    polarity of the word itself: "hate" is not denied, though it means "not like".
    """

    stem: str
    raw: str
    sign: int = 1
    said: int = 1


@dataclass
class Part:
    """A meaning in a clause, its tokens, and what it turns around by itself."""

    symbol: str
    tokens: list[Token]
    own: int
    turns: int


@dataclass
class Reading:
    """One text, read. ``sign`` maps each meaning to +1 or -1 (negated).

    ``bearer`` is the relative or friend of whom the text speaks from its start on.
    """

    symbols: list[str] = field(default_factory=list)
    sign: dict[str, int] = field(default_factory=dict)
    negations: int = 0
    atoms: dict[str, set[float]] = field(default_factory=dict)
    measures: frozenset[Measure] = frozenset()
    values: dict[str, set[str]] = field(default_factory=dict)
    general: set[str] = field(default_factory=set)
    single: set[str] = field(default_factory=set)
    many: set[str] = field(default_factory=set)
    cues: set[str] = field(default_factory=set)
    persons: set[str] = field(default_factory=set)
    bearer: str = ""
    predicates: set[str] = field(default_factory=set)
    core: dict[str, int] = field(default_factory=dict)
    copula: int | None = None
    head: set[str] = field(default_factory=set)
    tail: set[str] = field(default_factory=set)
    grams: set[str] = field(default_factory=set)
    tokens: tuple[str, ...] = ()
    proper: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    said: dict[str, int] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    word_sign: list[int] = field(default_factory=list)
    word_weight: NDArray[np.float32] = field(default_factory=lambda: _EMPTY)
    word_vectors: NDArray[np.float32] = field(default_factory=lambda: _EMPTY)
    chinese: bool = False
    length: float = 0.0
    subject: str = ""


def read(text: str, subject: str = "") -> Reading:
    """The reading of a text, of its first ``LIMIT`` characters."""
    words = lexicon()
    folded = expand(fold(text[: LIMIT * 2]))[:LIMIT].strip()
    folded = _OPENERS.sub("", folded) or folded
    reading = Reading(chinese=bool(_ZH.search(folded)), subject=_subject(subject))
    reading.measures = measures(folded)
    tokens = _tokens(plain_units(spelled_signs(folded)), reading)
    _walk(tokens, words, reading)
    _segment(tokens, reading)
    reading.tokens = tuple(t.stem for t in tokens if t.stem != _BREAK)
    reading.proper = _proper(text)
    reading.said = said_words(tokens)
    _collect(tokens, words, reading)
    _attributes(folded, words, reading)
    _split_at_predicate(words, reading)
    solid = re.sub(r"[\W_]+", "", folded)
    reading.grams = {solid[i : i + 2] for i in range(len(solid) - 1)} or {solid}
    reading.length = math.log1p(len(reading.symbols))
    return reading


def with_other_figures(reading: Reading, figures: set[float]) -> Reading:
    """The reading with figures that measure another thing as other figures.

    The next number that a computer knows stands for each.
    """
    other = {value: math.nextafter(value, math.inf) for value in figures}
    stems = {_num(value): _num(instead) for value, instead in other.items()}

    def renamed(symbols: Iterable[str]) -> list[str]:
        return [stems.get(symbol, symbol) for symbol in symbols]

    nums = {other.get(value, value) for value in reading.atoms.get("num", ())}
    return replace(
        reading,
        atoms={**reading.atoms, "num": nums},
        tokens=tuple(renamed(reading.tokens)),
        symbols=renamed(reading.symbols),
        sign={stems.get(s, s): v for s, v in reading.sign.items()},
        core={stems.get(s, s): v for s, v in reading.core.items()},
        head=set(renamed(reading.head)),
        tail=set(renamed(reading.tail)),
    )


def _num(value: float) -> str:
    return f"{ATOM}num:{value!r}"


def _proper(text: str) -> frozenset[str]:
    """Stems of the words that look like names or figures, except the first word."""
    return frozenset(stem(fold(word)) for word in _PROPER.findall(text, 1))


_OWNER = frozenset(("我", "用户", "本人", "我们", "自己", "i", "me", "we", "myself"))
_OWNER |= {"user", "theuser", "owner", "self"}


def _subject(subject: str) -> str:
    key = re.sub(r"[\W_]+", "", fold(subject))
    return "" if key in _OWNER else key


def _tokens(folded: str, reading: Reading) -> list[Token]:
    """Tokens with atoms as "#kind:value" and clause ends as breaks."""
    tokens: list[Token] = []
    position = 0
    for atom in find_atoms(folded):
        reading.atoms.setdefault(atom.kind, set()).add(round(atom.value, 4))
        if atom.start >= position:
            tokens += _plain_tokens(folded[position : atom.start])
            position = atom.end
        tokens.append(Token(f"{ATOM}{atom.kind}:{atom.value!r}", "", sign=0))
    return tokens + _plain_tokens(folded[position:])


def _plain_tokens(part: str) -> list[Token]:
    tokens: list[Token] = []
    for i, clause in enumerate(_CLAUSE.split(part)):
        if i:
            tokens.append(Token(_BREAK, "", sign=0))
        tokens += [Token(stem(raw), raw) for raw in split(clause)]
    return tokens


def _walk(tokens: list[Token], words: Lexicon, reading: Reading) -> None:
    """Fill the symbols; a negation turns its whole clause, wherever it stands."""
    stems = [t.stem for t in tokens]
    clause: list[Part] = []
    sign, at = 1, 0
    while at < len(tokens):
        entry = longest(words.symbols, stems, at)
        size = len(entry.tokens) if entry else 1
        if size == 1 and not (entry and entry.negates):
            size = _known_word(tokens, at)
            entry = entry if size == 1 else None
        here = tokens[at : at + size]
        at += size
        symbol = entry.symbol if entry else "".join(t.stem for t in here)
        if reading.copula is None and symbol in words.copulas:
            reading.copula = len(reading.symbols) + len(clause)
        if symbol in (_BREAK, "|"):
            _close(clause, sign, reading)
            clause, sign = [], 1
        elif entry and entry.negates:
            sign = -sign
            reading.negations += 1
        if symbol in _SILENT or symbol.startswith("=") or symbol in words.stop:
            for token in here:
                token.sign = 0
        else:
            own = -1 if entry and entry.reverses else 1
            turns = -1 if entry and entry.negates else 1
            clause.append(Part(symbol, here, own, turns))
    _close(clause, sign, reading)


def _close(clause: list[Part], sign: int, reading: Reading) -> None:
    for part in clause:
        reading.symbols.append(part.symbol)
        if part.symbol != _OWNER_SYMBOL:
            reading.sign.setdefault(part.symbol, sign * part.own)
        for token in part.tokens:
            token.sign = sign * part.own if token.raw else 0
            token.said = sign * part.turns


def _known_word(tokens: list[Token], at: int) -> int:
    """How many tokens from here make the longest Chinese word of the word table."""
    if not _ZH.match(tokens[at].raw):
        return 1
    known = table().row
    for size in range(LONGEST, 1, -1):
        joined = "".join(t.raw for t in tokens[at : at + size])
        if len(joined) == size and joined in known:
            return size
    return 1


def _segment(tokens: list[Token], reading: Reading) -> None:
    """Fill the words with vectors: the longest known ones from the left."""
    known, rows, at = table(), [], 0
    while at < len(tokens) and len(reading.words) < MOST_WORDS:
        token = tokens[at]
        at += 1
        if not token.raw:
            continue
        size = _known_word(tokens, at - 1)
        span = tokens[at - 1 : at - 1 + size]
        word = "".join(t.raw for t in span)
        at += size - 1
        sign = next((t.sign for t in reversed(span) if t.sign), 0)
        if sign:
            reading.words.append(word)
            reading.word_sign.append(sign)
            rows.append(known.row.get(word, UNKNOWN))
    if rows:
        reading.word_vectors = known.unit(rows)
        pairs = zip(reading.words, rows, strict=True)
        reading.unknown = frozenset(word for word, row in pairs if row == UNKNOWN)
        reading.word_weight = np.array([known.weight(r) for r in rows], np.float32)


def _collect(tokens: list[Token], words: Lexicon, reading: Reading) -> None:
    """Fill the values of closed classes and the persons spoken of."""
    stems = [t.stem for t in tokens]
    for at in range(len(stems)):
        entry = longest(words.values, stems, at)
        if entry:
            name, member = entry.symbol.split(":", 1)
            reading.values.setdefault(name, set()).add(member)
        entry = longest(words.general, stems, at)
        if entry:
            reading.general.add(entry.symbol.split(":", 1)[0])
    if "weekday" in reading.atoms:
        reading.values["weekday"] = {f"{d:g}" for d in reading.atoms["weekday"]}
    reading.persons = set(reading.symbols) & words.persons
    reading.bearer = next((s for s in reading.symbols[:2] if s in words.kin), "")
    reading.core = {s: v for s, v in reading.sign.items() if s not in words.light}
    reading.predicates = set(reading.symbols) & words.predicates


def _attributes(folded: str, words: Lexicon, reading: Reading) -> None:
    found: dict[str, set[str]] = {"single": set(), "many": set(), "cue": set()}
    for full in words.spotter.spot(folded):
        room, _, name = full.partition(".")
        found[room].add(name)
    reading.single, reading.many = found["single"], found["many"]
    reading.cues = found["cue"]


def _split_at_predicate(words: Lexicon, reading: Reading) -> None:
    """Head: what stands before the first verb, mostly the subject; tail: the rest."""
    found = [i for i, s in enumerate(reading.symbols[:8]) if s in words.predicates]
    if reading.copula:
        found.append(reading.copula)
    cut = min(found, default=min(1, len(reading.symbols)))
    owner = {_OWNER_SYMBOL}
    reading.head = set(reading.symbols[:cut]) - owner
    reading.tail = set(reading.symbols[cut:]) - owner
