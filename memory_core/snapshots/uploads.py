"""Files that people move in: uploaded, looked at, imported in turns, dropped.

The job waits while a person looks: first at what would be made of the records, then at
what a dry run found. What it needs is in a folder of its own until it has ended.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memory_core import jobs
from memory_core.contracts.enums import JobState
from memory_core.exceptions import InvalidInput
from memory_core.models import Job
from memory_core.snapshots import foreign
from memory_core.snapshots.foreign import NATIVE, Said
from memory_core.snapshots.importing import Target
from memory_core.snapshots.pieces import mapped_piece, plain_piece
from memory_core.snapshots.report import Report
from memory_core.snapshots.resuming import Intake

KIND = "import"
KEPT = timedelta(days=7)
UPLOADED = "uploaded"
DESCRIBED = "described"
MAPPING = "mapping"
PLACING = "placing"
LOOKED = "looked"
OVER = "over"
"""Phases of a job: nothing said yet, said, at work (two), dry run done, all done."""
BEATS = 1_000
"""Lines after which mapping gives a sign of life."""


def folder_of(job_id: UUID) -> Path:
    """Return where the files of a job are."""
    return Path(settings.HOME) / "uploads" / job_id.hex


def source_of(job_id: UUID) -> Path:
    """Return the file as it was uploaded."""
    return folder_of(job_id) / "source"


def quarantine_of(job_id: UUID) -> Path:
    """Return where the bad lines of a job are; the file may not be there."""
    return Path(settings.HOME) / "quarantine" / f"{job_id.hex}.jsonl"


def phase_of(job: Job) -> str:
    """Return where a job stands."""
    phase: str = job.cursor.get("phase", UPLOADED)
    return phase


def said_of(job: Job) -> Said:
    """Return what was said about the file; the system is empty before."""
    kept = {"system": "", "moment": job.created_at.isoformat(), **job.params["said"]}
    return Said(**kept | {"moment": datetime.fromisoformat(kept["moment"])})


def kept(said: Said) -> dict[str, Any]:
    """Return the same as values for JSON."""
    return asdict(said) | {"moment": said.moment.isoformat()}


def prepare(job: Job) -> int:
    """Map the file as it was said and return how many lines there are to import.

    Raises InvalidInput for a file that is not what is said of it.
    """
    said = said_of(job)
    if said.system == NATIVE:
        with source_of(job.pk).open("rb") as file:
            return sum(1 for line in file if line.strip())
    name = job.params["name"]
    beats = _beats(job)
    return foreign.convert(source_of(job.pk), name, said, _mapped(job), beats)


def run(job: Job, target: Target, until: float) -> Report | None:
    """Go on until that moment of the clock; return the report once all is through."""
    intake = _intake(job, target)

    def goes_on(report: Report) -> bool:
        job.done = report.lines
        job.counts = _counts(report)
        job.save(update_fields=["done", "counts"])
        return jobs.beat(job, now=timezone.now())

    report = intake.work(until, goes_on)
    if report:
        intake.forget()
        goes_on(report)
        _report_path(job).write_text(json.dumps(report.to_dict()))
    return report


def _beats(job: Job) -> Callable[[int], None]:
    def beat(count: int) -> None:
        if count % BEATS == 0:
            jobs.beat(job, now=timezone.now())

    return beat


def begin_again(job: Job, target: Target) -> None:
    """Drop what an earlier run has noted."""
    _intake(job, target).forget()


def report_of(job: Job) -> Report | None:
    """Return what the last run that came to its end has found."""
    try:
        return Report.from_dict(json.loads(_report_path(job).read_text()))
    except FileNotFoundError:
        return None


def records_of(job: Job, numbers: set[int]) -> dict[int, dict[str, Any]]:
    """Return the memories that stand on some lines of the file."""
    found: dict[int, dict[str, Any]] = {}
    last = max(numbers, default=0)
    for piece in _pieces(job):
        if piece.line in numbers and isinstance(piece.value, dict):
            found.setdefault(piece.line, piece.value)
        if piece.line > last:
            break
    return found


def drop_files(job_id: UUID) -> None:
    """Delete what was uploaded and made of it; the quarantine stays for a while."""
    for path in folder_of(job_id).glob("*"):
        if path.name != "report.json":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def prune(*, now: datetime) -> int:
    """Delete what jobs of long ago have left, and give up those nobody went on with."""
    old = Job.objects.filter(kind=KIND, created_at__lt=now - KEPT).exclude(
        state__in=[JobState.QUEUED, JobState.RUNNING]
    )
    for pk in old.values_list("pk", flat=True):
        shutil.rmtree(folder_of(pk), ignore_errors=True)
        quarantine_of(pk).unlink(missing_ok=True)
    waiting = old.filter(state=JobState.PAUSED)
    return waiting.update(state=JobState.CANCELLED, finished_at=now)


def first_lines(job: Job, *, size: int) -> list[foreign.Shown]:
    """Return a sample of a file with what becomes of it; raises InvalidInput."""
    said = said_of(job)
    if said.system != NATIVE:
        return foreign.sample(source_of(job.pk), job.params["name"], said, size=size)
    shown = []
    for piece in islice(_pieces(job), size + 1):
        if isinstance(piece.value, dict) and "kind" in piece.value:
            continue
        raw = piece.raw.decode("utf-8", "replace")[: foreign.SHOWN_RAW]
        value = piece.value
        if isinstance(value, dict):
            shown.append(foreign.Shown(piece.line, raw, value))
        elif value:
            shown.append(foreign.Shown(piece.line, raw, None, value.code, value.field))
    if not shown:
        raise InvalidInput("The file has no lines.", field="file", why="no_lines")
    return shown[:size]


def _pieces(job: Job) -> Iterator[Any]:
    is_native = said_of(job).system == NATIVE
    path, read = (
        (source_of(job.pk), plain_piece) if is_native else (_mapped(job), mapped_piece)
    )
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            yield read(number, raw)


def _intake(job: Job, target: Target) -> Intake:
    is_native = said_of(job).system == NATIVE
    return Intake(
        source_of(job.pk) if is_native else _mapped(job),
        folder_of(job.pk) / "notes",
        target=target,
        quarantine=None if target.dry_run else quarantine_of(job.pk),
        read=plain_piece if is_native else mapped_piece,
    )


def _mapped(job: Job) -> Path:
    return folder_of(job.pk) / "mapped.jsonl"


def _report_path(job: Job) -> Path:
    return folder_of(job.pk) / "report.json"


def _counts(report: Report) -> dict[str, int]:
    names = ("added", "updated", "unchanged", "held", "refused")
    counts = {name: getattr(report, name) for name in names}
    return counts | {"quarantined": report.faults}
