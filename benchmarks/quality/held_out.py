"""The shipped judge on pairs that nothing was trained on, by file and kind.

All were written for this project (CC0-1.0): one value in the same frame, words that
exclude each other, verbs with one object, chatty updates, rewordings; and what only
looks alike: things that stand beside each other, lists of things to do, another
bearer, another attribute. `held_out.jsonl` is older than frames and opposites; `_2` and
`_3` are older than what knows exclusive verbs and other bearers, and of these `_2` was
looked at all the time, `_3` only before the last rules (relatives, "Mr. Park"). `_4`
is older than the judging of clauses and was looked at for its final figure only.

    python -m benchmarks.quality.held_out
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.quality.vectors import passages_of
from memory_core.contracts.relation import Statement
from memory_core.saving.relation import relate
from memory_core.saving.relation.evaluation import ACTING
from memory_core.saving.relation.labelled import LabelledPair, read_pairs

FILES = sorted(Path(__file__).parent.glob("held_out*.jsonl"))


def measure() -> dict[str, Any]:
    """Return, by file, language and kind, the counts of verdicts, and wrong acts."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    harmed: list[list[str]] = []
    for file in FILES:
        for pair, verdict in _judged(read_pairs(file)):
            counts[f"{file.stem} {_name(pair)}"][verdict] += 1
            if verdict in ACTING and verdict != pair.kind:
                harmed.append([verdict, pair.old, pair.new])
    return {name: dict(found) for name, found in counts.items()} | {"harmed": harmed}


def _judged(pairs: Sequence[LabelledPair]) -> Iterator[tuple[LabelledPair, str]]:
    texts = list(dict.fromkeys(text for p in pairs for text in (p.old, p.new)))
    vectors = dict(zip(texts, passages_of(texts), strict=True))
    for pair in pairs:
        found = relate(
            Statement(pair.old, vector=vectors[pair.old]),
            Statement(pair.new, vector=vectors[pair.new]),
        )
        yield pair, found.kind


def _name(pair: LabelledPair) -> str:
    """Language and kind: the scenario of a pair is its kind and its number."""
    return f"{pair.language} {pair.scenario.rpartition('-')[0]}"


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2, ensure_ascii=False))
