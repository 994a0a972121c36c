"""Save and recall an agent's memories in a file, in SQLite or in a Mneme service."""

from mneme.context import fenced
from mneme.errors import InvalidItem, MnemeError, NotFound, Refused, Unavailable
from mneme.items import MemoryItem, Source
from mneme.opening import aopen, open
from mneme.protocol import (
    AsyncMemoryStore,
    BadLine,
    Filter,
    Found,
    ImportReport,
    MemoryStore,
    Saved,
)

__all__ = [
    "AsyncMemoryStore",
    "BadLine",
    "Filter",
    "Found",
    "ImportReport",
    "InvalidItem",
    "MemoryItem",
    "MemoryStore",
    "MnemeError",
    "NotFound",
    "Refused",
    "Saved",
    "Source",
    "Unavailable",
    "aopen",
    "fenced",
    "open",
]
