"""What was erased, noted outside the database, and the mode until it is erased again.

Whoever restores an old backup brings back people who were erased since. The ledger is
a file in a place of its own; when it knows more than the database, the service answers
nobody until the erasures have been repeated.
"""

from memory_core.ledger.book import (
    Entry,
    Event,
    Head,
    LedgerBroken,
    append,
    entries,
    head,
    standing,
)
from memory_core.ledger.comparing import (
    catch_up,
    is_ahead_of_database,
    lift_again,
    missing,
)

__all__ = [
    "Entry",
    "Event",
    "Head",
    "LedgerBroken",
    "append",
    "catch_up",
    "entries",
    "head",
    "is_ahead_of_database",
    "lift_again",
    "missing",
    "standing",
]
