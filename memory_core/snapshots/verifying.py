"""Copies are read whole again, as a restore would read them, and compared.

A daily snapshot: each part's checksum and line count against the manifest, each line
as an import checks it. The cold copy: each entry unsealed and checked, and a sample of
stored memories looked up in it by the digest of their text. In turns, like every job.
"""

import hashlib
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

from memory_core import digests, jobs
from memory_core.contracts.callers import SYSTEM, Actor
from memory_core.keys.data import KeyDestroyed, NotSealed
from memory_core.models import Copy, Job, Memory
from memory_core.snapshots import keeping, sealing
from memory_core.snapshots.cold import folder
from memory_core.snapshots.cold.entries import opened, owner_of, places, read_at
from memory_core.snapshots.lines import BadLine, check, load, parse

KIND = "verify_copy"
COLD_EVERY = timedelta(days=1)
SHARDS = 256
SAMPLE = 200
SETTLED = timedelta(minutes=2)
"""Memories that were written later may be on their way to the cold copy."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a copy; its text names codes and numbers only."""

    text: str


def order(copy: Copy, *, by: Actor, now: datetime) -> Job:
    """Return the job that verifies a copy."""
    job = Job.objects.create(
        kind=KIND,
        params={"copy": str(copy.pk), "name": copy.name or copy.kind},
        total=SHARDS if copy.kind == Copy.Kind.COLD else None,
        created_by=by.name,
        created_at=now,
    )
    jobs.call_worker()
    return job


def order_due(*, now: datetime) -> list[Job]:
    """Return the jobs that verify what was not verified, or not for long."""
    busy = set(
        Job.objects.filter(kind=KIND, state__in=jobs.OPEN).values_list(
            "params__copy", flat=True
        )
    )
    return [
        order(copy, by=SYSTEM, now=now)
        for copy in Copy.objects.order_by("taken_at")
        if str(copy.pk) not in busy and _is_due(copy, now)
    ]


def _is_due(copy: Copy, now: datetime) -> bool:
    if copy.verified_at is None:
        return True
    return copy.kind == Copy.Kind.COLD and now - copy.verified_at > COLD_EVERY


def advance(job: Job, until: float) -> bool:
    """Read on until that moment of the clock; return whether the verdict is there."""
    copy = Copy.objects.filter(pk=job.params["copy"]).first()
    if copy is None:
        return True
    read = _read_shards if copy.kind == Copy.Kind.COLD else _read_parts
    try:
        finding = read(job, copy, until)
    except (BadLine, NotSealed, FileNotFoundError, ValueError) as error:
        finding = Finding(getattr(error, "code", "") or type(error).__name__)
    if finding is None:
        return False
    copy.verified_at = timezone.now()
    copy.is_sound, copy.finding = not finding.text, finding.text
    copy.memories = job.cursor.get("memories", copy.memories)
    copy.size = job.cursor.get("bytes", copy.size)
    copy.save()
    return True


def _read_parts(job: Job, copy: Copy, until: float) -> Finding | None:
    """Read parts of a snapshot; the finding at its end or at the first fault."""
    with (keeping.folder() / copy.name).open("rb") as file:
        manifest = load(file.readline())
        parts = manifest["parts"]
        job.total = len(parts)
        file.seek(job.cursor.get("offset", file.tell()))
        while jobs.beat(job, now=timezone.now()):
            number = job.cursor.get("part", 0)
            if number >= len(parts):
                is_whole = not file.read(1)
                return Finding("" if is_whole else "more_lines_than_told")
            digest = hashlib.sha256()
            for _ in range(parts[number]["lines"]):
                line = sealing.plain(file.readline())
                parse(line)
                digest.update(line)
            if digest.hexdigest() != parts[number]["sha256"]:
                return Finding(f"checksum_mismatch in part {number}")
            read = job.cursor.get("memories", 0) + parts[number]["lines"]
            _keep_place(job, part=number + 1, offset=file.tell(), memories=read)
            if time.monotonic() >= until:
                return None
    return None


def _read_shards(job: Job, copy: Copy, until: float) -> Finding | None:
    """Read the files of a shard after the other; at the end look for a sample."""
    while jobs.beat(job, now=timezone.now()):
        shard = job.cursor.get("part", 0)
        if shard == SHARDS:
            lacking = _lacking(before=job.created_at - SETTLED)
            return Finding(
                f"lacks {lacking} of a sample of {SAMPLE}" if lacking else ""
            )
        paths = sorted((folder.root() / "owners" / f"{shard:02x}").glob("*.jsonl"))
        memories = job.cursor.get("memories", 0) + sum(map(_checked, paths))
        size = job.cursor.get("bytes", 0) + sum(path.stat().st_size for path in paths)
        _keep_place(job, part=shard + 1, memories=memories, bytes=size)
        if time.monotonic() >= until:
            return None
    return None


def _checked(path: Path) -> int:
    """Return how many memories a file of the cold copy gives back."""
    try:
        with path.open("rb") as file:
            present = places(file)
            owner_id = owner_of(file)
            for place in present.values():
                check(opened(owner_id, read_at(file, place))[1])
            return len(present)
    except (KeyDestroyed, FileNotFoundError):  # an erasure is at it
        return 0


def _lacking(*, before: datetime) -> int:
    """Return how many of a sample of memories are not there as they are stored."""
    rows = Memory.unscoped.filter(updated_at__lt=before).select_related("owner")
    return sum(not _is_there(row) for row in rows.order_by("?")[:SAMPLE])


def _is_there(row: Memory) -> bool:
    owner_id = row.owner.external_id
    try:
        with folder.file_of(owner_id).open("rb") as file:
            place = places(file).get(row.pk)
            if place is None:
                return False
            record = opened(owner_id, read_at(file, place))[1]
    except FileNotFoundError:
        return False
    return digests.of_content(record["content"]) == bytes(row.content_digest)


def _keep_place(job: Job, **cursor: int) -> None:
    job.cursor |= cursor
    job.done = job.cursor["part"]
    job.counts = {"memories": job.cursor["memories"]}
    job.save(update_fields=["cursor", "done", "total", "counts"])
