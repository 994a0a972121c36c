"""Files of this service: snapshots, lines that an import put aside, logs."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet

from memory_core.contracts.erasure import (
    Holds,
    Stage,
    Step,
    StoreCount,
    Subject,
    Treatment,
)
from memory_core.erasure.mentions import without
from memory_core.erasure.patterns import pattern_of_all
from memory_core.erasure.stores.tables import counted
from memory_core.models import Job, Memory
from memory_core.snapshots import keeping, lines_of_others, ordered
from memory_core.snapshots.taking_turns import alone

MASK = b"*"


class Snapshots:
    """Lines in daily and ordered snapshots and in quarantine files.

    They are copies: a hold on some memories keeps their rows in the database, and only
    a hold on the owner keeps these too.
    """

    store = "snapshots"
    stage = Stage.FILES
    covers: tuple[str, ...] = ()

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many lines there are."""
        found = sum(keeping.lines_of_owner(one) for one in subject.owner_ids)
        return counted(self.store, found, found if _is_held(subject, holds) else 0)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Rewrite the files without them; StoreBusy while one is being written."""
        if _is_held(subject, holds):
            return Step(held=self.count(subject, holds).keep)
        with alone():
            gone = [keeping.remove_owner(one) for one in subject.owner_ids]
        return Step(erased=sum(sum(files.values()) for files in gone))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many lines are left that are not held."""
        return self.count(subject, holds).erase

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing: they are copies of what the database has."""
        yield from ()


class LinesOfOthers:
    """Other people's lines in these files that name the person.

    Snapshots: those of memories which were to be redacted lose the names and their
    vectors. What an import put aside is of no use to anybody, and goes.
    """

    store = "other_lines"
    stage = Stage.FILES
    covers: tuple[str, ...] = ()

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many lines there are."""
        redact = lines_of_others.count(_redacted(subject), _cleaner(subject))
        bad = lines_of_others.count_bad(_finder(subject))
        return StoreCount(self.store, redact + bad, bad, redact=redact)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Rewrite the files; StoreBusy while one is being written."""
        with alone():
            redacted = lines_of_others.redact(_redacted(subject), _cleaner(subject))
            dropped = lines_of_others.drop_bad(_finder(subject))
        return Step(erased=dropped, redacted=redacted)

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left."""
        return self.count(subject, holds).matched

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing: they are other people's."""
        yield from ()


class Jobs:
    """Background jobs about the person, and the files that some of them made."""

    store = "jobs"
    stage = Stage.FILES
    covers = ("memory_core.job.*",)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are."""
        found = _jobs(subject).count()
        return StoreCount(self.store, found, found)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Drop them; one that is running stops at its next sign of life."""
        jobs = list(_jobs(subject))
        for job in jobs:
            ordered.path_of(job.pk).unlink(missing_ok=True)
        gone, _ = Job.objects.filter(pk__in=[job.pk for job in jobs]).delete()
        return Step(erased=gone)

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left."""
        return _jobs(subject).count()

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield kind, state and time of each."""
        yield from _jobs(subject).values("id", "kind", "state", "created_at")


class Logs:
    """Log files of this service; they should name nobody, and are looked at anyway."""

    store = "logs"
    stage = Stage.FILES
    covers: tuple[str, ...] = ()

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how often the person is named."""
        found = sum(len(_places(path, subject)) for path in _logs())
        return StoreCount(self.store, found, 0, redact=found)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Write over the names where they stand: the files are open for appending."""
        masked = 0
        for path in _logs():
            for at, length in _places(path, subject):
                with path.open("r+b") as file:
                    file.seek(at)
                    file.write(MASK * length)
                masked += 1
        return Step(redacted=masked)

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how often the person is still named."""
        return self.count(subject, holds).matched

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing."""
        yield from ()


def _is_held(subject: Subject, holds: Holds) -> bool:
    return bool(set(subject.rows) & set(holds.owners))


def _redacted(subject: Subject) -> dict[str, set[UUID]]:
    """Return the memories that were to be redacted, by their owners."""
    decided = subject.mentions or {}
    ids = [one for one, word in decided.items() if word == Treatment.REDACT]
    rows = Memory.unscoped.filter(pk__in=ids)
    found: dict[str, set[UUID]] = defaultdict(set)
    for owner_id, pk in rows.values_list("owner__external_id", "pk"):
        found[owner_id].add(pk)
    return dict(found)


def _cleaner(subject: Subject) -> Callable[[Any], Any]:
    return lambda value: without(value, subject.names)


def _finder(subject: Subject) -> Callable[[str], bool]:
    pattern = pattern_of_all(subject.names)
    if not pattern:
        return lambda text: False
    found = re.compile(pattern, re.IGNORECASE)
    return lambda text: found.search(text) is not None


def _jobs(subject: Subject) -> "QuerySet[Job]":
    names = list(subject.owner_ids)
    by_row = Q(owner_id__in=subject.rows)
    by_name = Q(params__owner_id__in=names) | Q(params__owner_claim__in=names)
    return Job.objects.filter(by_row | by_name).order_by("pk")


def _logs() -> list[Path]:
    return sorted((Path(settings.HOME) / "logs").glob("*.log*"))


def _places(path: Path, subject: Subject) -> list[tuple[int, int]]:
    """Return where a name stands: the first byte and how many."""
    pattern = pattern_of_all(subject.names)
    if not pattern:
        return []
    found, start = [], 0
    with path.open("rb") as file:
        for line in file:
            text = line.decode("utf-8", "surrogateescape")
            for match in re.finditer(pattern, text, re.IGNORECASE):
                before = _bytes(text[: match.start()])
                found.append((start + len(before), len(_bytes(match.group()))))
            start += len(line)
    return found


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


STORES = (Snapshots(), LinesOfOthers(), Jobs(), Logs())
