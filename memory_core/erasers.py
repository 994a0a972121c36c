"""Who erases what: each app names its erasers here when it starts."""

from memory_core.contracts.erasure import Eraser

_registered: dict[str, Eraser] = {}


def register(*erasers: Eraser) -> None:
    """Have a person's data in these stores erased; a store has one eraser.

    Raises ValueError for a second one of another kind.
    """
    for eraser in erasers:
        known = _registered.get(eraser.store, eraser)
        if type(known) is not type(eraser):
            raise ValueError(f"{eraser.store} has an eraser already")
        _registered[eraser.store] = eraser


def registered() -> list[Eraser]:
    """Return the erasers in the order in which they run."""
    return sorted(_registered.values(), key=lambda one: (one.stage, one.store))
