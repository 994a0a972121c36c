"""Scenarios that come with the package, and the labelled pairs they make."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memory_core.contracts.relation import RelationKind
from memory_core.saving.relation.labelled import LabelledPair

_FOLDER = Path(__file__).parent / "pairs"
_PROBE_EVERY = 8
_MARKS: dict[str, RelationKind] = {
    "d": "duplicate",
    "u": "supersede",
    "c": "supersede",
    "r": "refines",
    "x": "distinct",
}


@dataclass(frozen=True)
class Scenario:
    """A statement and its followers by mark; see pairs/README.md."""

    name: str
    language: str
    statement: str
    followers: tuple[tuple[str, str], ...]

    def marked(self, mark: str) -> list[str]:
        """The followers with a mark."""
        return [text for m, text in self.followers if m == mark]


def scenarios() -> list[Scenario]:
    """The scenarios of this package, in file order."""
    found: list[Scenario] = []
    for file in sorted(_FOLDER.glob("scenarios_*.txt")):
        language = file.stem.removeprefix("scenarios_")[:2]
        statement, followers = "", list[tuple[str, str]]()
        lines = [*file.read_text(encoding="utf-8").splitlines(), "= "]
        for line in lines:
            mark, _, text = line.strip().partition(" ")
            if line.startswith("="):
                if statement:
                    name = f"{file.stem}-{len(found)}"
                    found.append(Scenario(name, language, statement, tuple(followers)))
                statement, followers = text, []
            elif mark in _MARKS:
                followers.append((mark, text))
    return found


def teaching_pairs() -> list[LabelledPair]:
    """The pairs that training may use."""
    found = scenarios()
    return pairs_of(s for i, s in enumerate(found) if i % _PROBE_EVERY)


def probes() -> list[LabelledPair]:
    """The pairs that never train, on which an embedding model is measured."""
    return pairs_of(scenarios()[::_PROBE_EVERY])


def pairs_of(chosen: Iterable[Scenario]) -> list[LabelledPair]:
    """All pairs of some scenarios."""
    return [pair for scenario in chosen for pair in _pairs(scenario)]


def _pairs(scenario: Scenario) -> Iterator[LabelledPair]:
    said, same = scenario.statement, scenario.marked("d")

    def pair(old: str, new: str, kind: RelationKind) -> LabelledPair:
        return LabelledPair(old, new, kind, scenario.language, scenario.name)

    for text in same:
        yield pair(said, text, "duplicate")
    if same:
        yield pair(same[0], said, "duplicate")
    for old, new in itertools.combinations(same, 2):
        yield pair(old, new, "duplicate")
    for text in scenario.marked("u") + scenario.marked("c"):
        yield pair(said, text, "supersede")
        if same:
            yield pair(same[0], text, "supersede")
    for text in scenario.marked("r"):
        yield pair(said, text, "refines")
    for place, text in enumerate(scenario.marked("x")):
        yield pair(said, text, "distinct")
        if same and place % 2:
            yield pair(same[0], text, "distinct")
        elif place % 3 == 0:
            yield pair(text, said, "distinct")
