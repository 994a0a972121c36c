"""The core's stores, one eraser each; `register` is called when the service starts."""

from memory_core import erasers
from memory_core.contracts.erasure import Stage
from memory_core.erasure.holds import Columns
from memory_core.erasure.stores import files, identity, mentions, queues
from memory_core.erasure.stores.memories import Derived, Memories, Versions
from memory_core.erasure.stores.tables import Table
from memory_core.erasure.stores.uploads import Uploads
from memory_core.models import (
    ClosedSession,
    Corpus,
    Feedback,
    IdempotencyRecord,
    MemoryTerm,
    MemoryUse,
    MemoryVector,
    RawTurns,
    RecallEvent,
    RecallSample,
)
from memory_core.snapshots.cold.erasing import ColdCopyEraser

BY_MEMORY = Columns(memory="memory_id")
BY_PLACE = Columns(namespace="namespace_id")
BY_BOTH = Columns(namespace="namespace_id", memory="memory_id")

# What the door of memories removes with them is looked at again, table by table.
TABLES = (
    Table("vectors", Stage.MEMORIES, MemoryVector, BY_BOTH),
    Table("terms", Stage.MEMORIES, MemoryTerm, BY_BOTH),
    Table("uses", Stage.MEMORIES, MemoryUse, BY_MEMORY),
    Table("corpora", Stage.TRAIL, Corpus, BY_PLACE),
    Table(
        "feedback",
        Stage.TRAIL,
        Feedback,
        BY_BOTH,
        shown=("memory_id", "verdict", "note", "at"),
    ),
    Table(
        "recall_events",
        Stage.TRAIL,
        RecallEvent,
        BY_BOTH,
        shown=("memory_id", "agent_id", "rank", "score", "at"),
    ),
    Table(
        "recall_samples",
        Stage.TRAIL,
        RecallSample,
        BY_PLACE,
        shown=("query", "filters", "at"),
    ),
    Table(
        "raw_turns",
        Stage.TRAIL,
        RawTurns,
        BY_PLACE,
        shown=("session_id", "summary", "messages", "created_at"),
    ),
    Table(
        "closed_sessions",
        Stage.TRAIL,
        ClosedSession,
        BY_PLACE,
        shown=("agent_id", "rounds", "outcome", "started_at", "closed_at"),
    ),
    Table(
        "answers",
        Stage.TRAIL,
        IdempotencyRecord,
        shown=("status", "answer", "created_at"),
    ),
)


def register() -> None:
    """Name the core's erasers."""
    erasers.register(
        Derived(),
        Memories(),
        Versions(),
        ColdCopyEraser(),
        Uploads(),
        *TABLES,
        *mentions.STORES,
        *queues.STORES,
        *files.STORES,
        *identity.STORES,
    )
