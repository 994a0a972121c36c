"""Labelled pairs of statements: read from files, grouped by scenario."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_core.contracts.relation import RelationKind
from memory_core.saving.relation.normal import normalise

_KINDS: dict[str, RelationKind] = {
    "duplicate": "duplicate",
    "update": "supersede",
    "contradiction": "supersede",
    "refines": "refines",
    "distinct": "distinct",
}


@dataclass(frozen=True)
class LabelledPair:
    """An old and a new statement with their true relation.

    ``scenario`` is a hint which pairs are variants of one another; ``weight`` is how
    much training listens.
    """

    old: str
    new: str
    kind: RelationKind
    language: str = ""
    scenario: str = ""
    weight: float = 1.0


def read_pairs(file: Path, weight: float = 1.0) -> list[LabelledPair]:
    """The pairs of a JSONL file of ``{a, b, relation, lang?, kind?}`` rows.

    Pairs of one kind that stand at the same place of two languages count as one
    scenario. Raises ValueError that names the line of an unknown relation.
    """
    pairs: list[LabelledPair] = []
    seen: dict[tuple[str, str], int] = {}
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = json.loads(line)
        if row.get("relation") not in _KINDS:
            raise ValueError(f"{file.name}:{number}: unknown relation")
        kind, language = row.get("kind", ""), row.get("lang", "")
        place = seen[kind, language] = seen.get((kind, language), -1) + 1
        scenario = f"{kind}-{place}" if kind and kind != "extra" else ""
        pairs.append(
            LabelledPair(
                row["a"], row["b"], _KINDS[row["relation"]], language, scenario, weight
            )
        )
    return pairs


def groups(pairs: Sequence[LabelledPair]) -> list[int]:
    """A group number for each pair: equal if they share a scenario or a text."""
    parent = list(range(len(pairs)))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    first: dict[str, int] = {}
    for i, pair in enumerate(pairs):
        keys = [normalise(pair.old), normalise(pair.new)]
        if pair.scenario:
            keys.append("\0" + pair.scenario)
        for key in keys:
            parent[root(i)] = root(first.setdefault(key, i))
    return [root(i) for i in range(len(pairs))]


def folds(pairs: Sequence[LabelledPair], count: int = 5) -> list[int]:
    """A fold for each pair, of about equal sizes; no group is in two folds."""
    of_pair = groups(pairs)
    sizes: dict[int, int] = {}
    for group in of_pair:
        sizes[group] = sizes.get(group, 0) + 1
    load, chosen = [0] * count, dict[int, int]()
    for group in sorted(sizes, key=lambda g: (-sizes[g], g * 2654435761 % 2**32)):
        chosen[group] = load.index(min(load))
        load[chosen[group]] += sizes[group]
    return [chosen[group] for group in of_pair]
