"""Whether a memory says a statement, or is about a topic, by what its words mean.

All that was asked for has to stand there. How near two texts lie says nothing here: "my
ex-wife" lies as near to a wife as to an ex-wife.
"""

import re
from collections.abc import Iterator
from itertools import islice

from memory_core.saving.relation.lexicon import lexicon, stem
from memory_core.saving.relation.normal import fold
from memory_core.saving.relation.reading import ATOM, LIMIT
from memory_core.saving.wording import HAN, OWNER, Words, words

ATTRIBUTES: dict[str, frozenset[str]] = {
    "~live": frozenset({"residence"}),
    "~home": frozenset({"residence"}),
    "地址": frozenset({"residence"}),
    "~work_at": frozenset({"employer", "profession"}),
    "~job": frozenset({"employer", "profession"}),
    "~age": frozenset({"age"}),
    "~phone": frozenset({"phone_no"}),
    "channel:电话": frozenset({"phone_no"}),
    "~email": frozenset({"email"}),
    "~ill": frozenset({"illness"}),
    "~car": frozenset({"car"}),
    "~salary": frozenset(),
    "~birthday": frozenset(),
    "~name": frozenset(),
}
"""What is asked for by the name of an attribute -> how its values are recognised."""
GROUPS = {
    "~pet": "pet",
    "~exercise": "sport",
    "~hobby": "hobby",
    "~music": "musicstyle",
}
"""Names of classes of which a value is about them: a cat is a pet."""
TRANSLATED = 0.7
"""Cosine from which a word is another one's translation. Of 25 that are, 21 had more;
other words of the same field had .34 to .68."""
_FIRST = 3
"""Among so many meanings at the start of a memory stands whose matter it is."""
_STEP, _STEM, _SHORT = 300, 5, 3
_MOST_PIECES = 6
_NAMED = re.compile(r"\b(?:called|named|name is)\s+([A-Z]\w+)")
_NAME = re.compile(r"[\u4e00-\u9fff]{2}")


def says(memory: str, asked: Words) -> bool:
    """Return whether a memory says all that a statement says, of the same person."""
    return any(_says(words(piece), asked) for piece in _pieces(memory, asked))


def is_about(memory: str, asked: Words) -> bool:
    """Return whether all that a topic names stands in a memory.

    What belongs to the owner ("my address") is also recognised by its value.
    """
    memory = _without_names(memory, asked)
    return any(_is_about(words(piece), asked) for piece in _pieces(memory, asked))


def _pieces(memory: str, asked: Words) -> Iterator[str]:
    """Yield the beginning, and the first parts of the rest with a word asked for."""
    yield memory[:LIMIT]
    yield from islice(_later_pieces(memory, asked), _MOST_PIECES)


def _later_pieces(memory: str, asked: Words) -> Iterator[str]:
    wanted = [
        word[:_STEM]
        for word in asked.reading.words
        if len(word) > (1 if asked.chinese else _SHORT)
    ]
    for start in range(_STEP, len(memory), _STEP):
        piece = memory[start : start + LIMIT]
        folded = fold(piece)
        if any(word in folded for word in wanted):
            yield piece


def _says(told: Words, asked: Words) -> bool:
    if not asked.symbols or not _has(told, asked, asked.symbols):
        return False
    if not _as_written(told, asked):
        return False
    signs, wanted = told.reading.sign, asked.reading.sign
    if any(signs.get(one) != wanted.get(one) for one in asked.symbols):
        return False
    return not asked.own or _is_of_owner(told, asked)


def _is_about(told: Words, asked: Words) -> bool:
    if not asked.topic:
        return bool(asked.symbols & ATTRIBUTES.keys()) and _is_attribute(told, asked)
    named = asked.topic & ATTRIBUTES.keys()
    if named and not asked.topic - named - lexicon().persons:
        return _is_attribute(told, asked)
    if asked.own and not _names_somebody(asked) and _is_of_another(told):
        return False
    return _as_written(told, asked) and all(
        _has(told, asked, {one}) or GROUPS.get(one) in told.reading.values
        for one in asked.topic
    )


def _has(told: Words, asked: Words, symbols: frozenset[str] | set[str]) -> bool:
    return all(
        one in told.symbols or (_is_unknown(one) and _stands(one, told, asked))
        for one in symbols
    )


def _stands(word: str, told: Words, asked: Words) -> bool:
    """Return whether a word that no list knows stands there, or its translation."""
    if HAN.search(word):
        written = any(one in told.text for one in _with_neighbours(word, asked.text))
    else:
        written = word in told.reading.tokens
    if written or told.chinese == asked.chinese:
        return written
    return _is_translated(word, told, asked)


def _with_neighbours(word: str, text: str) -> list[str]:
    """Return a Chinese word; one character with each one next to it, as names are."""
    if len(word) > 1:
        return [word]
    pairs = (text[at : at + 2] for at in range(len(text) - 1))
    return [pair for pair in pairs if word in pair and _NAME.fullmatch(pair)]


def _is_translated(word: str, told: Words, asked: Words) -> bool:
    if not len(told.reading.word_vectors):
        return False
    places = [
        at for at, one in enumerate(asked.reading.words) if word in (one, stem(one))
    ]
    nearness = asked.reading.word_vectors[places] @ told.reading.word_vectors.T
    return bool(nearness.size) and float(nearness.max()) >= TRANSLATED


def _as_written(told: Words, asked: Words) -> bool:
    """Return whether the values of a topic stand in a memory of its language.

    Green tea and black tea are both tea, and another thing.
    """
    if told.chinese != asked.chinese:
        return True
    return all(
        word in told.text if told.chinese else stem(word) in told.reading.tokens
        for word in asked.values
    )


def _is_attribute(told: Words, asked: Words) -> bool:
    named = asked.symbols & ATTRIBUTES.keys()
    if not (asked.symbols - named) <= told.symbols:
        return False
    if not _is_of_owner(told, asked):
        return False
    spotted = told.reading.single | told.reading.many
    first = told.reading.symbols[:_FIRST]
    return all(one in first or ATTRIBUTES[one] & spotted for one in named)


def _names_somebody(asked: Words) -> bool:
    return any(
        one in lexicon().persons or one.startswith("ex-") for one in asked.symbols
    )


def _is_of_another(told: Words) -> bool:
    """Return whether somebody else stands at the start: "My brother earns 9000"."""
    return bool(told.reading.bearer or told.reading.head & _family())


def _family() -> frozenset[str]:
    """Return those whose matters are not the owner's; what a landlord does may be."""
    return lexicon().kin | {
        "~partner_f", "~partner_m", "~girlfriend", "~boyfriend", "~daughter", "~son",
        "~child", "~roommate", "~colleague",
    }  # fmt: skip


def _is_of_owner(told: Words, asked: Words) -> bool:
    """Return whether no other person or animal stands where the bearer does."""
    people = lexicon().persons
    symbols = told.reading.symbols
    speaks = bool(asked.symbols.intersection(symbols[:1])) or any(
        one == OWNER and not (next_ in people and next_ not in asked.symbols)
        for one, next_ in zip(symbols[:_FIRST], (*symbols[1:], ""), strict=False)
    )
    is_named = bool(told.reading.head & asked.symbols & people)
    others = {
        one
        for one in told.reading.head - asked.symbols
        if one in people
        or one.startswith("pet:")
        or (_is_unknown(one) and not is_named)
    }
    return speaks and not others and told.reading.bearer in ("", *asked.symbols)


def _is_unknown(symbol: str) -> bool:
    return not symbol.startswith(("~", ATOM)) and ":" not in symbol


def _without_names(memory: str, asked: Words) -> str:
    """Return a memory without the names it gives that are also words: a dog Peanut."""
    for name in _NAMED.findall(memory):
        if name not in asked.written:
            memory = memory.replace(name, "")
    return memory
