"""Insert labelled pairs into stores that already hold memories, and count the harm.

The offline half of the insertion benchmark: no server, the judge alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memory_core.contracts.relation import Relation, Statement
from memory_core.saving.relation.labelled import LabelledPair

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Judge = Callable[[Sequence[Statement], Statement], list[Relation]]

NEAREST = 20


@dataclass
class Tally:
    """What happened to the pairs of one language; shares come from ``report``."""

    distinct: int = 0
    false_duplicates: int = 0
    false_supersedes: int = 0
    changes: int = 0
    replaced: int = 0
    rewordings: int = 0
    merged: int = 0
    collateral: int = 0
    inserts: int = 0
    harmed: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count what another tally counted too."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def report(self) -> dict[str, float]:
        """Shares by name; 0 where nothing was tried."""
        return {
            "false_duplicates": self.false_duplicates / max(1, self.distinct),
            "false_supersedes": self.false_supersedes / max(1, self.distinct),
            "changes_replaced": self.replaced / max(1, self.changes),
            "rewordings_merged": self.merged / max(1, self.rewordings),
            "collateral": self.collateral / max(1, self.inserts),
        }


def insert_pairs(
    pairs: Sequence[LabelledPair],
    stores: Mapping[str, Sequence[Sequence[str]]],
    embed: Embed,
    judge: Judge,
) -> dict[str, Tally]:
    """Tallies by language; pair number i goes into store i of its language.

    ``embed`` gives unit vectors. Every statement meets its ``NEAREST`` neighbours.
    """
    tallies: dict[str, Tally] = {}
    for number, pair in enumerate(pairs):
        offered = stores[pair.language]
        store = list(offered[number % len(offered)])
        tally = tallies.setdefault(pair.language, Tally())
        _insert(pair, store, embed, judge, tally)
    return tallies


def _insert(
    pair: LabelledPair, store: list[str], embed: Embed, judge: Judge, tally: Tally
) -> None:
    first = _acts(pair.old, store, embed, judge)
    second = _acts(pair.new, [*store, pair.old], embed, judge)
    against_store = [*first, *(a for a in second if a[1] != pair.old)]
    on_old = {kind for kind, text in second if text == pair.old}
    tally.inserts += 2
    tally.collateral += len({text for _, text in against_store})
    tally.harmed += [(kind, text, pair.new) for kind, text in against_store]
    if pair.kind == "distinct":
        tally.distinct += 1
        kinds = {kind for kind, _ in [*first, *second]}
        tally.false_duplicates += "duplicate" in kinds
        tally.false_supersedes += "supersede" in kinds
        tally.harmed += [(kind, pair.old, pair.new) for kind in on_old]
    elif pair.kind == "supersede":
        tally.changes += 1
        tally.replaced += "supersede" in on_old and "duplicate" not in on_old
    elif pair.kind == "duplicate":
        tally.rewordings += 1
        tally.merged += "duplicate" in on_old


def _acts(
    text: str, store: Sequence[str], embed: Embed, judge: Judge
) -> list[tuple[str, str]]:
    """The kind and the old text of each relation that would change something."""
    vectors, own = embed(store), embed([text])[0]
    near = np.argsort(-(vectors @ own))[:NEAREST]
    olds = [Statement(store[i], vector=vectors[i]) for i in near]
    found = judge(olds, Statement(text, vector=own))
    return [
        (relation.kind, old.text)
        for old, relation in zip(olds, found, strict=True)
        if relation.kind in ("duplicate", "supersede")
    ]
