"""Who waits for whom: advisory locks that end with the transaction.

A save locks one owner in one namespace, so that two saves of one statement see each
other. It also holds a share of the owner's fence: an erasure takes the whole fence
before it commits its tombstone, and so knows that no write slips in behind it.
"""

from hashlib import blake2b

from memory_core.contracts.idempotency import IdempotencyKey
from memory_core.isolation import Also
from memory_core.prepared import fetch, run

SHARED = "pg_advisory_xact_lock_shared(%s::bigint)"
EXCLUSIVE = "pg_advisory_xact_lock(%s::bigint)"


def for_write(
    owner_id: str,
    *,
    owner: int,
    namespace: int,
    once: IdempotencyKey | None = None,
    agent: int = 0,
) -> Also:
    """Return what a transaction evaluates first to be the only one that writes there.

    It waits until no request with the same key is under way, nobody else writes for
    this owner (external and row id) in the namespace, and nobody erases the owner or
    blocks the agent (row id). The key comes first everywhere, so that nobody waits in
    a circle.
    """
    expressions = [SHARED, EXCLUSIVE]
    numbers = [_number("fence", owner_id), _number("write", f"{namespace}:{owner}")]
    if agent:
        expressions.insert(0, SHARED)
        numbers.insert(0, _number("writer", str(agent)))
    if once:
        expressions.insert(0, EXCLUSIVE)
        numbers.insert(0, _number("once", f"{once.token_id}:{once.key}"))
    return Also(", ".join(expressions), tuple(numbers))


def before_fence(owner_id: str) -> Also:
    """Return what a transaction evaluates first: no erasure of the owner begins in it.

    It waits for one that is beginning, whose tombstone it then finds.
    """
    return Also(SHARED, (_number("fence", owner_id),))


def lock_for_write(owner_id: str, *, owner: int, namespace: int) -> None:
    """Wait for the same in a transaction that is under way."""
    also = for_write(owner_id, owner=owner, namespace=namespace)
    run(f"SELECT {also.expression}", also.values)


def lock_owner(*, owner: int, namespace: int) -> None:
    """Wait until nobody else writes for this owner in this namespace."""
    run(f"SELECT {EXCLUSIVE}", [_number("write", f"{namespace}:{owner}")])


def close_fence(owner_id: str) -> None:
    """Wait for all writes of an owner that are under way and keep new ones waiting."""
    run(f"SELECT {EXCLUSIVE}", [_number("fence", owner_id)])


def stop_writer(agent: int) -> None:
    """Wait for all writes of an agent that are under way and keep new ones waiting."""
    run(f"SELECT {EXCLUSIVE}", [_number("writer", str(agent))])


def keep_holds() -> None:
    """Take the lock on legal holds, shared: none is placed until we commit."""
    run(f"SELECT {SHARED}", [_number("holds", "")])


def change_holds() -> None:
    """Take the lock on legal holds, exclusive: no deletion runs until we commit."""
    run(f"SELECT {EXCLUSIVE}", [_number("holds", "")])


def lock_key(token: int, key: str) -> None:
    """Wait until no other request with this Idempotency-Key is under way."""
    run(f"SELECT {EXCLUSIVE}", [_number("once", f"{token}:{key}")])


def try_cold() -> bool:
    """Return whether we alone write the files of the cold copy until we commit."""
    number = _number("cold", "files")
    rows = fetch("SELECT pg_try_advisory_xact_lock(%s::bigint)", [number])
    is_ours: bool = rows[0][0]
    return is_ours


def lock_cold() -> None:
    """Wait until nobody else writes the files of the cold copy."""
    run(f"SELECT {EXCLUSIVE}", [_number("cold", "files")])


def _number(purpose: str, value: str) -> int:
    digest = blake2b(
        f"{purpose}\x00{value}".encode("utf-8", "surrogatepass"), digest_size=8
    )
    return int.from_bytes(digest.digest(), "big", signed=True)
