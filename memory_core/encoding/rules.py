"""The encoder without a language model: the user's own explicit words, unchanged.

Nothing is concluded. A sentence is kept when it opens the way people open what they
want to be known: who they are, what they like, what must never happen, what to be
reminded of; or when they say the same thing of themselves again.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from memory_core.contracts.sessions import Message
from memory_core.encoding import cues
from memory_core.encoding.protocol import Candidate, Encoded, Excerpt, Forgetting
from memory_core.lexical import asks, terms
from memory_core.sessions.summary import sentences

SAME = 0.8
"""Share of their terms that two sentences have in common which say the same."""
FEWEST_TERMS = 3
IMPORTANCE = {"constraint": 0.7, "profile": 0.6}
ASKED_FOR = 0.8
REPEATED = 0.8
HAN = re.compile(r"[\u4e00-\u9fff]")


class RuleEncoder:
    """See the module."""

    name = "rules"

    def encode(self, excerpt: Excerpt) -> Encoded:
        """Return the user's explicit statements and requests to forget."""
        said = [one for one in excerpt.messages if one.role == "user"]
        kept = [one for one in said if not cues.OFF_THE_RECORD.search(one.content)]
        forget = [
            Forgetting(query, one.position)
            for one in said
            for query in to_forget(one.content)
        ]
        found = [one for message in kept for one in _statements(message)]
        again = [one for one in _repeated(kept) if not _is_in(one, found)]
        candidates = _distinct([*found, *again])
        return Encoded(tuple(candidates), tuple(dict.fromkeys(forget)))


def is_trigger(text: str) -> bool:
    """Return whether a user's message holds something to be encoded at once."""
    if to_forget(text):
        return True
    if cues.OFF_THE_RECORD.search(text):
        return False
    return any(True for _ in explicit(text))


def explicit(text: str) -> Iterator[tuple[str, str, float | None]]:
    """Yield (statement, category, importance) for what is explicit in a text."""
    for sentence in sentences(cues.CODE.sub(" ", text)):
        if asks(sentence) or cues.ONLY_HERE.search(sentence):
            continue
        if _request(sentence):
            continue
        for statement in _clauses(sentence):
            yield _judged(statement)


def to_forget(text: str) -> list[str]:
    """Return what the user asks to be forgotten, as queries."""
    found = (_request(sentence) for sentence in sentences(cues.CODE.sub(" ", text)))
    return [query for query in found if query]


def _request(sentence: str) -> str:
    """Return what a sentence asks to forget, empty if it does not ask that."""
    bare = cues.OPENER.sub("", sentence, count=1)
    if moved := cues.FORGET_OBJECT.match(bare):
        return moved.group("what").strip()
    return bare if cues.FORGET.match(bare) else ""


def _clauses(sentence: str) -> Iterator[str]:
    """Yield the statements of a sentence: from one explicit clause up to the next."""
    glue = "，" if HAN.search(sentence) else ", "
    current = ""
    for part in cues.COMMA.split(sentence):
        bare = cues.OPENER.sub("", part, count=1)
        only_leads = cues.ONLY_LEADS.fullmatch(bare) is not None
        goes_on = cues.ONLY_LEADS.fullmatch(current) is not None
        if only_leads or (not goes_on and bare and _category(bare)):
            if _is_statement(current):
                yield current
            current = bare
        elif current:
            current = f"{current}{glue}{part.strip()}"
    if _is_statement(current):
        yield current


def _is_statement(clause: str) -> bool:
    if not clause or cues.ONLY_LEADS.fullmatch(clause):
        return False
    return _category(clause) is not None


def _category(clause: str) -> str | None:
    if cues.HYPOTHETICAL.match(clause):
        return None
    for category, pattern in cues.STATEMENTS:
        if pattern.match(clause):
            return category
    return None


def _judged(statement: str) -> tuple[str, str, float | None]:
    category = _category(statement) or "fact"
    asked = cues.REMEMBER.match(statement)
    bare = statement[asked.end() :].strip() if asked else statement
    if category == "remember":
        category = _category(bare) or "fact"
    if category in cues.MAY_BE_TEMPORARY and cues.FOR_NOW.search(bare):
        category = "temporary"
    importance = ASKED_FOR if asked else IMPORTANCE.get(category)
    return bare or statement, category, importance


def _statements(message: Message) -> Iterator[Candidate]:
    for statement, category, importance in explicit(message.content):
        yield Candidate(
            content=statement,
            category=category,
            source_kind="user_input",
            importance=importance,
            confidence=1.0,
            position=message.position,
        )


def _repeated(said: Iterable[Message]) -> Iterator[Candidate]:
    """Yield what the user says of themselves in more than one message."""
    before: list[tuple[set[str], str]] = []
    for message in said:
        now = []
        for sentence in sentences(cues.CODE.sub(" ", message.content)):
            bag = set(terms(sentence).counts)
            if not _may_be_repeated(sentence, bag):
                continue
            if first := next((text for old, text in before if _alike(old, bag)), ""):
                yield Candidate(
                    content=first,
                    category="fact",
                    source_kind="user_input",
                    importance=REPEATED,
                    confidence=1.0,
                    position=message.position,
                )
            now.append((bag, sentence))
        before += now


def _may_be_repeated(sentence: str, bag: set[str]) -> bool:
    return (
        len(bag) >= FEWEST_TERMS
        and not asks(sentence)
        and bool(cues.OF_ONESELF.search(sentence))
        and not cues.ONLY_HERE.search(sentence)
        and not _request(sentence)
    )


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= SAME * len(one | other)


def _is_in(candidate: Candidate, found: list[Candidate]) -> bool:
    bag = set(terms(candidate.content).counts)
    return any(_alike(bag, set(terms(one.content).counts)) for one in found)


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates without repetitions, which count for more."""
    kept: list[Candidate] = []
    for one in candidates:
        at = next((i for i, old in enumerate(kept) if old.content == one.content), None)
        if at is None:
            kept.append(one)
        else:
            kept[at] = replace(kept[at], importance=REPEATED)
    return kept
