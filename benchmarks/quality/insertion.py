"""Labelled pairs told to owners who already hold a store of memories.

Both sentences are facts of the store's own speaker, and so are the store's memories:
nothing tells them apart but what they say.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from benchmarks.quality.agent import Agent, Agents
from benchmarks.quality.stores import Conversation, bodies, written
from memory_core.saving.relation.labelled import LabelledPair

TOP = 10
KINDS = {"distinct": "distinct", "supersede": "changes", "duplicate": "rewordings"}
"""What is judged of the pairs, by kind; refinements may be kept or merged."""


@dataclass(frozen=True)
class Told:
    """A pair and the owner to whom it is told."""

    number: int
    pair: LabelledPair
    store: Conversation


@dataclass(frozen=True)
class Outcome:
    """What the service made of one pair."""

    told: Told
    refused: bool
    """One of the two was refused or waits for a person."""
    duplicate: bool
    """One of them was taken for something known."""
    supersede: bool
    """One of them replaced something, or was replaced on arrival."""
    found: tuple[bool, bool]
    """Whether a recall with a sentence's own words gives that sentence."""
    any_old: bool
    """Whether either recall gives the old one."""
    merged: bool

    @property
    def only_new(self) -> bool:
        """Whether recalls of the matter give the new sentence and not the old one."""
        return self.found[1] and not self.any_old


def insert(
    pairs: Sequence[LabelledPair], stores: Sequence[Conversation], agents: Agents
) -> dict[str, Any]:
    """Return shares by language, and what went wrong."""
    by_language: dict[str, list[Conversation]] = defaultdict(list)
    for store in stores:
        by_language[store.language].append(store)
    told = [
        Told(number, pair, offered[number % len(offered)])
        for number, pair in enumerate(pairs)
        if pair.kind in KINDS and (offered := by_language.get(pair.language))
    ]
    outcomes = agents.each(_tell, told)
    languages = sorted({one.pair.language for one in told})
    return {
        language: _report([o for o in outcomes if o.told.pair.language == language])
        for language in languages
    }


def _tell(agent: Agent, told: Told) -> Outcome:
    owner_id = f"pair-{told.number}"
    speaker, end = told.store.memories[0]["speaker"], told.store.end
    agent.save(bodies(told.store.memories, owner_id, category="fact"))
    answers = [
        agent.save([_body(text, owner_id, speaker, end + timedelta(days=day))])[0]
        for day, text in enumerate((told.pair.old, told.pair.new), start=1)
    ]
    first, second = (answer.get("memory_id") for answer in answers)
    after = written(end + timedelta(days=2, hours=1))
    texts: list[set[str]] = []
    for asked in (told.pair.old, told.pair.new):
        hits = agent.recall(
            owner_id, asked, as_of=after, top_k=TOP, include=["archived"]
        )
        texts.append({hit["memory_id"] for hit in hits})
    return Outcome(
        told,
        refused=any(answer.get("status") in (None, "pending") for answer in answers),
        duplicate=any(answer.get("event") == "reinforced" for answer in answers),
        supersede=any(
            answer.get("superseded") or answer.get("status") == "superseded"
            for answer in answers
        ),
        found=(first in texts[0], second in texts[1]),
        any_old=first in texts[0] | texts[1],
        merged=first is not None and first == second,
    )


def _body(text: str, owner_id: str, speaker: str, moment: Any) -> dict[str, Any]:
    return {
        "owner_id": owner_id,
        "content": text,
        "category": "fact",
        "source": {"kind": "user_input", "name": speaker},
        "subject": speaker,
        "observed_at": written(moment),
    }


def _report(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    of_kind: dict[str, list[Outcome]] = {name: [] for name in KINDS.values()}
    for outcome in outcomes:
        of_kind[KINDS[outcome.told.pair.kind]].append(outcome)
    distinct, changes = of_kind["distinct"], of_kind["changes"]
    return {
        "pairs": {name: len(found) for name, found in of_kind.items()},
        "refused_or_held": sum(o.refused for o in outcomes),
        "false_duplicates": _share([o.duplicate for o in distinct]),
        "false_supersedes": _share([o.supersede for o in distinct]),
        "both_come_back": _share([all(o.found) for o in distinct]),
        "only_the_new": _share([o.only_new for o in changes]),
        "merged": _share([o.merged for o in of_kind["rewordings"]]),
        "harmed": [
            [o.told.pair.old, o.told.pair.new]
            for o in distinct
            if o.duplicate or o.supersede or not all(o.found)
        ],
        "missed": [
            [o.told.pair.old, o.told.pair.new] for o in changes if not o.only_new
        ],
    }


def _share(found: Sequence[bool]) -> float:
    return round(sum(found) / max(len(found), 1), 4)
