"""Lists and metadata of two sayings of the same, within what one memory may hold."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from memory_core.contracts.limits import LARGEST_METADATA


def joined(kept: Iterable[Any], new: Iterable[Any], *, most: int) -> list[Any]:
    """Return both without repetition, what was kept first; the rest is left out."""
    return list(dict.fromkeys((*kept, *new)))[:most]


def joined_metadata(kept: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was kept with what it lacks, or by itself if that were too large."""
    both = {**new, **kept}
    return both if len(orjson.dumps(both)) <= LARGEST_METADATA else dict(kept)
