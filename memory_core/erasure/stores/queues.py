"""What Valkey holds of the person: sessions, vectors of queries, notes of recalls."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import orjson

from memory_core import valkey
from memory_core.contracts.erasure import Holds, Stage, Step, StoreCount, Subject
from memory_core.erasure.stores.tables import counted
from memory_core.recall.batches import GAINED, TAKEN
from memory_core.recall.query_vectors import PREFIX
from memory_core.recall.touches import WAITING
from memory_core.sessions import store as sessions

SCANNED_AT_ONCE = 1_000


@dataclass(frozen=True)
class Keys:
    """Keys under a prefix, then the owner's row id. Caches: no hold keeps them."""

    store: str
    prefix: str
    stage: Stage = Stage.CACHES
    covers: tuple[str, ...] = ()

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are; raises valkey.Unavailable."""
        found = len(self._keys(subject))
        return StoreCount(self.store, found, found)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Drop them all; raises valkey.Unavailable."""
        keys = self._keys(subject)
        for key in keys:
            valkey.client().delete(key)
        return Step(erased=len(keys))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left; raises valkey.Unavailable."""
        return len(self._keys(subject))

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing: they hold digests and numbers, for minutes or days."""
        yield from ()

    def _keys(self, subject: Subject) -> list[bytes]:
        scan = valkey.client().scan_iter
        return [
            key
            for row in subject.rows
            for key in scan(f"{self.prefix}:{row}:*", count=SCANNED_AT_ONCE)
        ]


class Notes:
    """Notes of recalls that no flush has written yet: the query is among them."""

    store = "recall_notes"
    stage = Stage.SESSIONS
    covers: tuple[str, ...] = ()

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many wait; raises valkey.Unavailable."""
        found = len(self._lines(subject))
        return StoreCount(self.store, found, found)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Take them out of the queue; raises valkey.Unavailable."""
        lines = self._lines(subject)
        for key, line in lines:
            valkey.client().lrem(key, 0, line)  # type: ignore[arg-type]
        return Step(erased=len(lines))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many wait; raises valkey.Unavailable."""
        return len(self._lines(subject))

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing: a flush makes samples of them within seconds."""
        yield from ()

    def _lines(self, subject: Subject) -> list[tuple[str, bytes]]:
        lines: list[tuple[str, bytes]] = [
            (key, line)  # type: ignore[misc]
            for key in (WAITING, TAKEN)
            for line in valkey.client().lrange(key, 0, -1)
        ]
        return [one for one in lines if _owner_of(one[1]) in subject.rows]


class Sessions:
    """Windows of conversations."""

    store = "sessions"
    stage = Stage.SESSIONS
    covers: tuple[str, ...] = ()

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are and how many are held; ServiceUnavailable."""
        found = len(self._keys(subject))
        return counted(self.store, found, found - len(self._free(subject, holds)))

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """End those that are not held; raises ServiceUnavailable."""
        free = self._free(subject, holds)
        for key, owner_id in free:
            sessions.remove(key, owner_id)
        return Step(erased=len(free), held=len(self._keys(subject)))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left that are not held; raises ServiceUnavailable."""
        return self.count(subject, holds).erase

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield the messages of each open session."""
        for key, _ in self._keys(subject):
            raw = valkey.read(key)
            if raw:
                yield {"session": orjson.loads(raw)}

    def _keys(self, subject: Subject) -> list[tuple[str, str]]:
        return [
            (key, owner_id)
            for owner_id in subject.owner_ids
            for key in sessions.of_owner(owner_id)
        ]

    def _free(self, subject: Subject, holds: Holds) -> list[tuple[str, str]]:
        """The session keys that no legal hold covers; a key names its namespace."""
        if set(subject.rows) & set(holds.owners):
            return []
        held = set(map(str, holds.namespaces))
        return [one for one in self._keys(subject) if one[0].split(":")[3] not in held]


def _owner_of(line: bytes) -> int:
    try:
        return int(orjson.loads(line).get("owner") or 0)
    except (ValueError, AttributeError):
        return 0


STORES = (
    Keys("query_vectors", PREFIX),
    Keys("session_gains", GAINED, Stage.SESSIONS),
    Notes(),
    Sessions(),
)
