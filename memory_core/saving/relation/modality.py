"""What a statement says without saying that it is so now.

"I plan to move to Munich", "I almost moved", "my sister has three kids": such clauses
leave what is known of the owner as it is. The judge reads what is left, the clauses
that state something; a text of which nothing is left changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from memory_core.saving.relation.callings import PERSON
from memory_core.saving.relation.lexicon import word_list
from memory_core.saving.relation.normal import expand, fold
from memory_core.saving.relation.reading import ATOM, LIMIT, Reading, read

# What is only intended, possible or put off stands or falls together.
OPEN = frozenset(("planned", "wished", "possible", "condition", "denied"))
_UNREAL = OPEN - {"denied", "wished"} | {"averted", "dreamt"}
_CHANGES = frozenset(("change", "now"))
_WIDE = frozenset(("condition", "dreamt"))
# These deny what they name, so they may contradict who said just that.
_TAKING_BACK = frozenset(("denied", "past"))
_TITLE = r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bst)(?<!\bmrs)(?<!\bprof)"
_SENTENCE = re.compile(rf"{_TITLE}[.](?!\d)\s*|[!?;。！？；\n]+\s*")
_CLAUSE = re.compile(
    r"[,:](?!\d)\s*|[，：、]+|\s+[-\u2013\u2014]+\s+"
    r"|\s+(?=(?:but|so|because|although|and (?:i|we|it|now))\s)"
    r"|(?<=.)(?=但是?|可是|不过|所以|因为|(?<!我)(?:现在|如今)(?=我|住|在|喜欢|用|改))"
)
_JOINER = re.compile(r"^(?:but|so|because|although|and|now)\s+")


@dataclass(frozen=True)
class Said:
    """A clause with the ways in which it does not say that something is so now."""

    text: str
    modes: frozenset[str]

    @cached_property
    def reading(self) -> Reading:
        """The clause, read by itself."""
        return read(self.text)

    @cached_property
    def named(self) -> frozenset[str]:
        """What the clause names beside the words that make its modes."""
        rest = self.text
        for mode in self.modes & _TAKING_BACK:
            rest = _patterns()[mode].sub(" ", rest)
        symbols = read(rest).symbols
        return frozenset(s for s in symbols if not s.startswith(("~", "!")))


@dataclass(frozen=True)
class Modality:
    """The clauses of a text, and whose matters it tells."""

    clauses: tuple[Said, ...]
    is_of_named: bool = False

    @cached_property
    def modes(self) -> frozenset[str]:
        """All modes of the text."""
        return frozenset(mode for said in self.clauses for mode in said.modes)

    @cached_property
    def is_open(self) -> bool:
        """Whether the text tells of what somebody has yet to do."""
        return bool(self.modes & OPEN)


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    words = word_list("modality.toml")
    found = {**words["mode"], **words["says"]}
    found |= {k: v for k, v in words["bearer"].items() if k not in _NAMES}
    return {name: re.compile(pattern) for name, pattern in found.items()}


_NAMES = ("personal", "settings")


@cache
def _attributes(name: str) -> frozenset[str]:
    return frozenset(word_list("modality.toml")["bearer"][name].split())


@cache
def _modes() -> tuple[str, ...]:
    return tuple(word_list("modality.toml")["mode"])


def modality(text: str) -> Modality:
    """The modality of a text, of its first ``LIMIT`` characters."""
    folded = expand(fold(text[: LIMIT * 2]))[:LIMIT].strip()
    found: list[Said] = []
    for sentence in _SENTENCE.split(folded):
        found += _of_sentence(sentence)
    is_of_named = bool(_patterns()["named"].match(text) or PERSON.match(text))
    return Modality(tuple(found), is_of_named)


def _of_sentence(sentence: str) -> list[Said]:
    """The clauses of a sentence; a condition or a dream holds for all of it."""
    found: list[Said] = []
    for clause in _CLAUSE.split(sentence):
        text = _JOINER.sub("", clause.strip())
        if not text:
            continue
        if found and _patterns()["refused"].search(text):
            found[-1] = Said(found[-1].text, found[-1].modes | {"denied"})
            found.append(Said(text, frozenset(("denied",))))
        else:
            found.append(Said(text, frozenset(_modes_of(text))))
    wide = _WIDE & {mode for said in found for mode in said.modes}
    return [Said(said.text, said.modes | wide) for said in found] if wide else found


def _modes_of(clause: str) -> Iterator[str]:
    patterns = _patterns()
    for mode in _modes():
        if patterns[mode].search(clause) and not (
            mode == "wished" and patterns["rule"].search(clause)
        ):
            yield mode


@dataclass(frozen=True)
class Stated:
    """What a text states towards an old statement: all, some or nothing of it.

    ``comes_true`` says that it states what the old one only planned or dreamt.
    """

    text: str
    is_all: bool
    comes_true: bool = False


def stated(new: Modality, old_text: str, old: Reading) -> Stated:
    """What of a new text could change an old statement.

    A clause counts if it has no mode, or the old statement has it too, or the clause
    takes back the very thing that the old one says.
    """
    was = modality(old_text)
    if not (new.modes or _may_be_of_others(new)):
        return Stated("", is_all=True, comes_true=_comes_true(was, new))
    kept = [
        said
        for at, said in enumerate(new.clauses)
        if _counts(said, was, old, is_of_named=new.is_of_named and not at)
    ]
    if _brings_news(kept):  # what was before is told for contrast
        kept = [s for s in new.clauses if s in kept or s.modes == {"past"}]
    is_all = len(kept) == len(new.clauses)
    return Stated(", ".join(said.text for said in kept), is_all)


def _comes_true(was: Modality, new: Modality) -> bool:
    """Whether what was not so is now; a wish is a rule until something changed."""
    if was.modes & _UNREAL:
        return not _is_due(new)
    changes = any(said.reading.cues & _CHANGES for said in new.clauses)
    return "wished" in was.modes and changes


def _brings_news(kept: list[Said]) -> bool:
    return any(_patterns()["now"].search(said.text) for said in kept)


def _counts(said: Said, was: Modality, old: Reading, *, is_of_named: bool) -> bool:
    if _is_of_other(said, was, old, is_of_named=is_of_named):
        return False
    modes = said.modes - was.modes
    if modes and (was.is_open or _is_due(was)):
        modes -= OPEN
    if modes == {"wished"} and said.reading.single & _attributes("settings"):
        return True
    return not modes or (modes <= _TAKING_BACK and _takes_back(said, old))


def _is_due(was: Modality) -> bool:
    return any(_patterns()["due"].search(said.text) for said in was.clauses)


def _takes_back(said: Said, old: Reading) -> bool:
    """Whether a clause denies what the old statement says, and names nothing else."""
    proper = {s for s in said.named if ":" in s and not s.startswith(ATOM)}
    named = proper or said.named
    if named:
        return named <= set(old.symbols)
    new = said.reading.sign
    return any(new[s] != old.sign[s] for s in new.keys() & old.sign.keys())


def _may_be_of_others(new: Modality) -> bool:
    return new.is_of_named or any(
        said.reading.bearer
        or _patterns()["someone"].search(said.text)
        or _patterns()["pronoun"].search(said.text)
        for said in new.clauses
    )


def _is_of_other(said: Said, was: Modality, old: Reading, *, is_of_named: bool) -> bool:
    """Whether a clause tells a personal matter of somebody whom the old one does not.

    An old statement that does not begin with its owner may be anybody's.
    """
    first = was.clauses[0].text if was.clauses else ""
    if not _patterns()["owner"].search(first) or old.bearer:
        return False
    shared = said.reading.single & old.single & _attributes("personal")
    if not shared:
        return False
    if said.reading.bearer:
        return said.reading.bearer not in old.persons
    if is_of_named or _patterns()["pronoun"].search(said.text):
        return True
    someone = _patterns()["someone"].search(said.text)
    return someone is not None and (someone["zh"] or someone["en"]) not in first
