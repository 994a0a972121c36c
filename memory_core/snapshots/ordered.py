"""Snapshots that agents order: written in the background, fetched part by part.

Unlike an export, a snapshot does not change while it is fetched, so that a download
can be resumed. Its lines are sealed on the disk and opened as they are fetched.
"""

import json
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.utils import timezone

from memory_core import jobs
from memory_core.contracts.callers import SYSTEM, Actor, Caller
from memory_core.contracts.enums import JobState
from memory_core.models import Job
from memory_core.snapshots import keeping
from memory_core.snapshots.exporting import Pieces, Wanted
from memory_core.snapshots.sealing import Opened, is_of
from memory_core.snapshots.taking_turns import writing

KIND = "snapshot"
KEPT = timedelta(days=7)


def path_of(snapshot_id: UUID) -> Path:
    """Return where the file of a snapshot is, or will be."""
    return keeping.folder() / "ordered" / f"{snapshot_id}.jsonl"


@writing()
def advance(job: Job, until: float) -> bool:
    """Write the whole snapshot in one turn, with signs of life.

    A later turn begins it again if an erasure waited.
    """
    params = job.params
    wanted = Wanted(
        namespaces=params["namespaces"],
        owner_id=params["owner_id"],
        ascii_only=params["ascii"],
        with_vectors=params["embeddings"],
        sealed=True,
    )
    made = keeping.write_export(
        path_of(job.pk),
        wanted,
        _writer(job),
        is_wanted=beats(job),
        now=timezone.now(),
    )
    if made is None:
        return False
    Job.objects.filter(pk=job.pk).update(counts=made.manifest["counts"])
    return True


def manifest_of(snapshot_id: UUID) -> dict[str, Any]:
    """Return the manifest of a finished snapshot; raises FileNotFoundError."""
    with path_of(snapshot_id).open("rb") as file:
        manifest: dict[str, Any] = json.loads(file.readline())
    return manifest


def pieces_of(snapshot_id: UUID, part: int | None = None) -> Pieces:
    """Return the bytes of a snapshot, or of one part; raises FileNotFoundError."""
    file = path_of(snapshot_id).open("rb")
    front = file.readline()
    parts = json.loads(front)["parts"]
    before, wanted = (0, parts) if part is None else (part, parts[part : part + 1])
    lines = Opened(
        file,
        skip=sum(one["lines"] for one in parts[:before]),
        lines=sum(one["lines"] for one in wanted),
    )
    size = sum(one["bytes"] for one in wanted)
    return Pieces(lines, size, front if part is None else b"")


def has_lines_of(snapshot_id: UUID, owner_ids: Collection[str]) -> bool:
    """Return whether a snapshot holds anything of one of these owners."""
    with path_of(snapshot_id).open("rb") as file:
        return any(is_of(line, one) for line in file for one in owner_ids)


def prune(*, now: datetime) -> int:
    """Delete the snapshots that were ordered long ago; return how many."""
    old = Job.objects.filter(kind=KIND, created_at__lt=now - KEPT)
    for pk in old.values_list("pk", flat=True):
        path_of(pk).unlink(missing_ok=True)
    count, _ = old.exclude(state__in=[JobState.QUEUED, JobState.RUNNING]).delete()
    return count


def _writer(job: Job) -> Actor:
    """People's exports hold what is asked for, agents' what they may see."""
    if job.params.get("people"):
        return SYSTEM
    return Caller(name=job.created_by, owner_claim=job.params["owner_claim"])


def beats(job: Job) -> Iterator[bool]:
    """Give signs of life; False once the job was stopped."""
    while True:
        yield jobs.beat(job, now=timezone.now())
