"""Adding up what several recalls left out."""

from collections.abc import Iterable
from uuid import UUID

from memory_core.contracts.recall import WithheldCounts

REASONS = ("screening", "faded", "budget", "untrusted_for_purpose")


def added(counts: Iterable[WithheldCounts]) -> WithheldCounts:
    """Return how many memories were left out by reason, each counted once."""
    ids: dict[str, dict[UUID, None]] = {reason: {} for reason in REASONS}
    for one in counts:
        for reason, found in one.ids.items():
            ids[reason].update(dict.fromkeys(found))
    return WithheldCounts(
        **{reason: len(found) for reason, found in ids.items()},
        ids={reason: tuple(found) for reason, found in ids.items() if found},
    )
