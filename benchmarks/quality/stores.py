"""Labelled stores as the API takes them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.recall_offline import Row, rows
from memory_core.embedding import is_unspaced


@dataclass(frozen=True)
class Conversation:
    """What one owner's store holds, in its order, and what it is asked."""

    store: str
    name: str
    memories: list[Row]
    queries: list[Row]

    @property
    def end(self) -> datetime:
        """The moment of the last memory."""
        return max(moment_of(memory) for memory in self.memories)

    @property
    def language(self) -> str:
        """`zh` if most of it is written without spaces, else `en`."""
        unspaced = sum(is_unspaced(memory["text"]) for memory in self.memories)
        return "zh" if 2 * unspaced > len(self.memories) else "en"


def folders(data: Path) -> list[Path]:
    """Return the labelled stores somewhere below a folder."""
    found = sorted(path.parent for path in data.rglob("queries.jsonl"))
    return [folder for folder in found if (folder / "memories.jsonl").exists()]


def conversations(folder: Path) -> list[Conversation]:
    """Return a store by conversation."""
    memories: dict[str, list[Row]] = defaultdict(list)
    queries: dict[str, list[Row]] = defaultdict(list)
    for row in rows(folder / "memories.jsonl"):
        memories[row["conv"]].append(row)
    for row in rows(folder / "queries.jsonl"):
        queries[row["conv"]].append(row)
    return [
        Conversation(folder.name, name, found, queries[name])
        for name, found in memories.items()
    ]


def bodies(
    memories: Sequence[Row], owner_id: str, *, category: str = "event"
) -> list[dict[str, Any]]:
    """Return memories as bodies of a save."""
    return [
        {
            "owner_id": owner_id,
            "content": memory["text"],
            "category": category,
            "source": {"kind": "user_input", "name": memory["speaker"]},
            "subject": memory["speaker"],
            "observed_at": written(moment_of(memory)),
            "external_id": memory["mem_id"],
            "session_id": f"{memory['conv']} {moment_of(memory).date()}",
            "position": int(memory["order"]),
        }
        for memory in memories
    ]


def moment_of(memory: Row) -> datetime:
    """When it was said; midnight UTC where only the day is known."""
    moment = datetime.fromisoformat(memory["timestamp"])
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def written(moment: datetime) -> str:
    """A moment as the API takes it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
