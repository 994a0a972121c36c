"""What a folder of data offers to the benchmark."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.stores import Conversation, conversations, folders
from memory_core.saving.relation.labelled import LabelledPair, read_pairs

SMALL = 200
"""Memories of a store into which pairs are inserted, at most."""


@dataclass(frozen=True)
class Data:
    """Folders of labelled stores, labelled pairs and where they lie.

    `small` are the stores into which pairs are inserted: MemoryBank's, if there are.
    """

    stores: list[Path]
    pairs: list[LabelledPair]
    pairs_folder: Path | None
    small: list[Conversation]


def find(folder: Path, most: int | None = None) -> Data:
    """Return what lies below a folder; at most so many pairs of a kind and language."""
    stores = folders(folder)
    file = next(iter(sorted(folder.rglob("pairs/dev.jsonl"))), None)
    pairs = read_pairs(file) if file else []
    banks = [store for store in stores if store.name.startswith("memorybank")]
    parts = [part for store in banks or stores for part in conversations(store)]
    return Data(
        stores,
        pairs if most is None else _some_of_each(pairs, most),
        file.parent if file else None,
        [part for part in parts if len(part.memories) <= SMALL],
    )


def _some_of_each(pairs: list[LabelledPair], most: int) -> list[LabelledPair]:
    """The pairs thinned out evenly, in their order."""
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        groups[pair.language, pair.kind].append(number)
    kept = [
        found[number * len(found) // min(most, len(found))]
        for found in groups.values()
        for number in range(min(most, len(found)))
    ]
    return [pairs[number] for number in sorted(kept)]
