"""What a known token tried and was refused, on the record."""

from collections import Counter
from collections.abc import Iterable

from django.db import DatabaseError

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.exceptions import (
    NamespaceNotWritable,
    OwnerNotAllowed,
    ScopeMissing,
    TokenRefused,
)

DENIALS = (ScopeMissing, NamespaceNotWritable, OwnerNotAllowed, TokenRefused)


def record(errors: Iterable[Exception], *, by: Actor) -> None:
    """Write one entry for each kind of denial, in a transaction of its own.

    Errors that are no denial are passed over; refused saves are recorded where they are
    refused. A database that is down must not turn the answer into something else.
    """
    codes = Counter(error.code for error in errors if isinstance(error, DENIALS))
    if not codes:
        return
    try:
        with isolation.agent_transaction():
            for code, times in codes.items():
                auditing.record(
                    "access.denied", by=by, outcome="denied", code=code, times=times
                )
    except DatabaseError:
        return
