"""The keys of tombstones: a new one, and an old one that nothing needs any more."""

from collections import Counter

from memory_core import auditing, isolation, ledger
from memory_core.contracts.callers import Actor
from memory_core.keys import tombstones
from memory_core.models import Tombstone


def use_of_keys() -> dict[str, int]:
    """Return how many erased identifiers stand under each key, the newest key first.

    A tombstone and its line in the ledger count once.
    """
    rows = Tombstone.objects.filter(lifted_at=None).values_list("key_id", "digest")
    standing = {(kid, bytes(digest).hex()) for kid, digest in rows}
    standing |= {(one.kid, one.digest) for one in ledger.standing()}
    counts = Counter(kid for kid, _ in standing)
    return {kid: counts[kid] for kid, _ in tombstones.live_keys()}


def rotate(*, by: Actor) -> str:
    """Make a key that new tombstones use from now on, and return its id.

    ValueError if the keys come from the environment.
    """
    with isolation.transaction_for(by):
        kid = tombstones.rotate()
        auditing.record("tombstone_key.rotate", by=by, key=kid)
    return kid


def retire(*, kid: str, by: Actor) -> None:
    """Delete a key; ValueError if it is unknown, the newest, or anything needs it."""
    used = use_of_keys().get(kid)
    if used is None:
        raise ValueError(f"there is no key {kid!r}")
    if used:
        raise ValueError(f"{used} erased identifiers stand under {kid}")
    with isolation.transaction_for(by):
        tombstones.retire(kid)
        auditing.record("tombstone_key.retire", by=by, key=kid)
