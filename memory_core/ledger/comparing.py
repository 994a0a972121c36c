"""What the ledger knows and the database does not: the sign of an old backup."""

from datetime import datetime

from django.db.models import QuerySet

from memory_core.keys.tombstones import Digest
from memory_core.ledger.book import Entry, Event, append, latest, standing
from memory_core.models import Tombstone

AT_ONCE = 5_000
WITHOUT_TOMBSTONE = "name"
"""Many people have one name: it stops no write, so only the ledger knows of it."""


def missing() -> list[Entry]:
    """Return the erasures that hold and that the database knows nothing of.

    It knows of one that was lifted later, too.
    """
    entries = [one for one in standing() if one.kind != WITHOUT_TOMBSTONE]
    lifted: dict[bytes, datetime | None] = {}
    for start in range(0, len(entries), AT_ONCE):
        wanted = [bytes.fromhex(one.digest) for one in entries[start:][:AT_ONCE]]
        lifted |= _marks(Tombstone.objects.filter(digest__in=wanted))
    return [one for one in entries if not _is_known(one, lifted)]


def is_ahead_of_database() -> bool:
    """Return whether erasures were noted that the database knows nothing of."""
    return bool(missing())


def lift_again(*, now: datetime) -> int:
    """Lift the tombstones that were lifted after the backup; return how many."""
    lifted = [
        bytes.fromhex(one.digest) for one in latest() if one.event is not Event.ERASE
    ]
    rows = Tombstone.objects.filter(digest__in=lifted, lifted_at=None)
    return rows.update(lifted_at=now)


def catch_up(*, now: datetime) -> int:
    """Note what the database knows and the ledger lost; return how many lines.

    A chain does not show that its end is missing. Call it when the database is not
    behind.
    """
    last = {one.digest: one.event for one in latest()}
    rows = Tombstone.objects.order_by("pk")
    marks = _marks(rows)
    count = 0
    for row in rows.iterator():
        is_erased = marks[bytes(row.digest)] is None
        event = last.get(bytes(row.digest).hex())
        if is_erased == (event is Event.ERASE) or not (is_erased or event):
            continue
        digest = Digest(row.key_id, bytes(row.digest), row.kind)
        wanted = Event.ERASE if is_erased else Event.LIFT
        append(wanted, [digest], request=row.case_ref, now=now)
        last[bytes(row.digest).hex()] = wanted
        count += 1
    return count


def _marks(rows: QuerySet[Tombstone]) -> dict[bytes, datetime | None]:
    """Return when each digest was lifted last, None for one that stands."""
    found: dict[bytes, datetime | None] = {}
    for digest, at in rows.values_list("digest", "lifted_at").order_by("fenced_at"):
        before = found.get(bytes(digest), at)
        found[bytes(digest)] = None if at is None or before is None else max(at, before)
    return found


def _is_known(entry: Entry, lifted: dict[bytes, datetime | None]) -> bool:
    digest = bytes.fromhex(entry.digest)
    if digest not in lifted:
        return False
    at = lifted[digest]
    return at is None or at > datetime.fromisoformat(entry.at)
