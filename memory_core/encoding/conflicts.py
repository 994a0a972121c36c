"""Where a conversation and memory disagree at the moment."""

import re
from collections.abc import Iterable, Iterator, Sequence

from django.conf import settings

from memory_core.contracts.context import Conflict
from memory_core.contracts.relation import Statement
from memory_core.contracts.sessions import Message
from memory_core.contracts.views import MemoryView
from memory_core.encoding import cues, rules
from memory_core.saving.relation import relate
from memory_core.saving.vectors import active_model
from memory_core.sessions.summary import sentences

FRESH_ROUNDS = 3
"""So long what was said counts against memory, unless it is said again."""
MOST_STATEMENTS = 6
HOW_TO_SPEAK = ("preference", "constraint", "skill")

LANGUAGES = {
    "English": re.compile(r"\benglish\b|英文|英语", re.IGNORECASE),
    "Chinese": re.compile(
        r"\b(?:chinese|mandarin)\b|中文|汉语|普通话|简体|繁体", re.IGNORECASE
    ),
    "Japanese": re.compile(r"\bjapanese\b|日文|日语", re.IGNORECASE),
    "Korean": re.compile(r"\bkorean\b|韩文|韩语", re.IGNORECASE),
    "French": re.compile(r"\bfrench\b|法文|法语", re.IGNORECASE),
    "German": re.compile(r"\bgerman\b|德文|德语", re.IGNORECASE),
    "Spanish": re.compile(r"\bspanish\b|西班牙语", re.IGNORECASE),
}
SPEAKING = re.compile(
    r"\b(?:answer|reply|respond|write|speak|talk|use|switch|continue|in)\b"
    r"|用|说|写|回答|回复|换成",
    re.IGNORECASE,
)
HAN = re.compile(r"[\u4e00-\u9fff]")
ENGLISH_WORD = re.compile(
    r"\b(?:the|is|are|what|how|can|you|please|my|this|for|and|to|of|do|it)\b",
    re.IGNORECASE,
)


def conflicts(
    window: Sequence[Message], memories: Sequence[MemoryView]
) -> list[Conflict]:
    """Return what the user says in the last rounds against what is remembered.

    At most one for each memory; what the user says beats the language they write in.
    """
    fresh = _fresh(window)
    said = list(_statements(fresh))[-MOST_STATEMENTS:]
    found = []
    for memory in memories:
        conflict = _said_otherwise(said, memory) or _written_otherwise(fresh, memory)
        if conflict:
            found.append(conflict)
    return found


def _fresh(window: Sequence[Message]) -> list[Message]:
    return [one for one in window if one.role == "user"][-FRESH_ROUNDS:]


def _statements(messages: Iterable[Message]) -> Iterator[str]:
    for message in messages:
        yield from (statement for statement, _, _ in rules.explicit(message.content))
        for sentence in sentences(message.content):
            if cues.ONLY_HERE.search(sentence):
                yield sentence


def _said_otherwise(said: Sequence[str], memory: MemoryView) -> Conflict | None:
    for statement in reversed(said):
        if _names_another_language(statement, memory) or _replaces(statement, memory):
            return Conflict(statement, memory)
    return None


def _names_another_language(statement: str, memory: MemoryView) -> bool:
    if memory.category not in HOW_TO_SPEAK or not SPEAKING.search(statement):
        return False
    asked, usual = _languages(statement), _languages(memory.content)
    return bool(asked and usual) and not asked & usual


def _replaces(statement: str, memory: MemoryView) -> bool:
    """Judge by lexical features alone: no embedding while an agent waits."""
    relation = relate(
        Statement(memory.content),
        Statement(statement),
        embedder=active_model().name,
        thresholds=settings.RELATION_THRESHOLDS,
    )
    return relation.kind == "supersede"


def _written_otherwise(
    messages: Sequence[Message], memory: MemoryView
) -> Conflict | None:
    if memory.category not in HOW_TO_SPEAK or not messages:
        return None
    usual = _languages(memory.content)
    written = {_written_in(message.content) for message in messages}
    if not usual or len(written) != 1 or written & (usual | {""}):
        return None
    return Conflict(f"the user writes {written.pop()}", memory, is_quoted=False)


def _languages(text: str) -> set[str]:
    return {name for name, pattern in LANGUAGES.items() if pattern.search(text)}


def _written_in(text: str) -> str:
    """Return the language of a message where it is sure enough, else nothing."""
    if HAN.search(text):
        return "Chinese"
    return "English" if len(ENGLISH_WORD.findall(text)) >= 2 else ""
