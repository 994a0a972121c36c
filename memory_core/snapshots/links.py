"""Links between imported memories: kept aside until all lines are there, then tied."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from memory_core import isolation, locks
from memory_core.contracts.callers import Actor, Scope
from memory_core.saving import loading
from memory_core.saving.loading import Tie
from memory_core.snapshots.drafts import Line, as_uuid

IN_MEMORY = 4 * 1024 * 1024
AT_ONCE = 500
MOST_MOVED = 1_000_000

Wish = dict[str, Any]


class Links:
    """The links of imported lines, by what their file calls the memories.

    With a path they outlive the process; what stands behind `size` there is dropped.
    Ids that could not be kept are remembered, up to a bound that keeps memory small.
    """

    def __init__(self, path: Path | None = None, *, size: int = 0) -> None:
        self._file: IO[bytes]
        if path is None:
            self._file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - close
        else:
            path.touch(mode=0o600)
            self._file = path.open("r+b")
            self._file.truncate(size)
            self._file.seek(size)
        self._moved: dict[tuple[int, str], UUID] = {}

    def note(self, line: Line, memory_id: UUID, owner: int) -> None:
        """Remember under which id a memory of the file is to be found here."""
        sent = line.record.get("memory_id")
        if sent and as_uuid(sent) != memory_id:
            self._write({"moved": str(memory_id), "owner": owner, "sent": sent})

    def keep(self, line: Line, memory_id: UUID, scope: Scope) -> None:
        """Remember the links of a line that is a memory here."""
        record = line.record
        names = ("related", "supersedes", "merged_into")
        wish = {name: record[name] for name in names if name in record}
        if not wish:
            return
        self._write(
            wish
            | {
                "id": str(memory_id),
                "owner": scope.owner,
                "owner_id": scope.owner_id,
                "space": scope.namespaces[0],
                "at": record["timestamp"].isoformat(),
            }
        )

    def settle(self) -> int:
        """Write out what was remembered so far; return its size."""
        self._file.flush()
        return self._file.tell()

    def tie(self, by: Actor) -> int:
        """Set all links whose ends are there; return how many are dropped."""
        self._moved = self._read_moved()
        dropped = 0
        for wishes in self._batches():
            dropped += self._tie_together(wishes, by)
        return dropped

    def close(self) -> None:
        """Drop what was kept aside, or leave it for the next time."""
        self._file.close()

    def _write(self, value: Wish) -> None:
        self._file.write(json.dumps(value).encode() + b"\n")

    def _read_moved(self) -> dict[tuple[int, str], UUID]:
        moved: dict[tuple[int, str], UUID] = {}
        self._file.seek(0)
        for line in self._file:
            value = json.loads(line)
            if "moved" in value and len(moved) < MOST_MOVED:
                moved[value["owner"], value["sent"]] = UUID(value["moved"])
        return moved

    def _batches(self) -> Iterator[list[Wish]]:
        """Return wishes of one owner and namespace at a time."""
        part: list[Wish] = []
        self._file.seek(0)
        for line in self._file:
            wish = json.loads(line)
            if "moved" in wish:
                continue
            is_other = part and _place(part[0]) != _place(wish)
            if is_other or len(part) == AT_ONCE:
                yield part
                part = []
            part.append(wish)
        if part:
            yield part

    def _tie_together(self, wishes: Sequence[Wish], by: Actor) -> int:
        owner, owner_id, space = _place(wishes[0])
        where = {"owner": owner, "namespace": space}
        scope = Scope(owner, owner_id, (space,))
        with isolation.transaction_for(by, scope):
            locks.lock_for_write(owner_id, owner=owner, namespace=space)
            ends = self._ends(wishes)
            there = loading.moments(
                list({pk for found in ends.values() for pk in found}), **where
            )
            known = {
                name: next((pk for pk in found if pk in there), None)
                for name, found in ends.items()
            }
            superseded, merged, dropped = [], [], 0
            for wish in wishes:
                own, at = UUID(wish["id"]), datetime.fromisoformat(wish["at"])
                related = [known[name] for name in wish.get("related", ())]
                if found := [pk for pk in related if pk and pk != own]:
                    loading.relate(own, found, **where)
                older = [known[name] for name in wish.get("supersedes", ())]
                superseded += [Tie(pk, own, at) for pk in older if pk]
                into = known.get(wish.get("merged_into", ""))
                if into:
                    merged.append(Tie(own, into, there[into]))
                dropped += [*related, *older].count(None)
                dropped += "merged_into" in wish and into is None
            loading.tie(superseded, merged=False, **where)
            loading.tie(merged, merged=True, **where)
        return dropped

    def _ends(self, wishes: Sequence[Wish]) -> dict[str, list[UUID]]:
        """Return, for each id of the file, the ids that it may have here."""
        found: dict[str, list[UUID]] = {}
        for wish in wishes:
            names = [*wish.get("related", ()), *wish.get("supersedes", ())]
            names += [wish["merged_into"]] if "merged_into" in wish else []
            for name in names:
                found.setdefault(name, self._may_be(name, wish["owner"]))
        return found

    def _may_be(self, name: str, owner: int) -> list[UUID]:
        moved, own = self._moved.get((owner, name)), as_uuid(name)
        return [pk for pk in (moved, own) if pk]


def _place(wish: Wish) -> tuple[int, str, int]:
    return wish["owner"], wish["owner_id"], wish["space"]
