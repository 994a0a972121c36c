"""Export and import: agents within their rights, people and commands everywhere."""

import math
from collections.abc import Iterable
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings
from django.utils import timezone

from memory_core import auditing, idempotency, isolation, jobs
from memory_core.actions import access
from memory_core.contracts.callers import Actor, Caller, Scope
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.contracts.snapshots import SnapshotView
from memory_core.exceptions import NotFound
from memory_core.models import Job, Namespace, Owner
from memory_core.snapshots import everywhere, exporting, ordered, resuming
from memory_core.snapshots.drafts import Age
from memory_core.snapshots.exporting import Export, Pieces, Wanted
from memory_core.snapshots.importing import Import, Target
from memory_core.snapshots.pieces import kept_piece
from memory_core.snapshots.report import Quarantine, Report
from memory_core.snapshots.resuming import Intake

QUARANTINE = "quarantine"


def export(
    *,
    by: Actor,
    owner_id: str = "",
    namespace: str = "",
    ascii_only: bool = False,
    with_vectors: bool = False,
    part: int | None = None,
) -> Export:
    """Return what the caller may read: of one owner or all, in one namespace or all.

    A namespace that does not exist or may not be read gives an empty export.
    """
    now = timezone.now()
    wanted = Wanted(
        namespaces=_readable(by, namespace),
        owner_id=owner_id,
        ascii_only=ascii_only,
        with_vectors=with_vectors,
        part=part,
    )
    made = exporting.export(wanted, by, now=now)
    with isolation.transaction_for(by):
        auditing.record(
            "memory.export",
            by=by,
            namespace=namespace,
            owner_id=owner_id,
            memories=made.manifest["counts"]["memories"],
            part=part,
        )
    return made


def take_in(
    *,
    by: Actor,
    lines: Iterable[bytes],
    namespace: str = "",
    dry_run: bool = False,
    age: Age = "touch",
) -> Report:
    """Return what became of each line of a file, or in a dry run would.

    Nothing aborts half-way: a bad line is named and put aside. Agents write within
    their rights; people and commands write everywhere, as what the file says, but with
    no more trust than its sources have here.
    """
    target = _target(by, namespace=namespace, dry_run=dry_run, age=age)
    quarantine = Quarantine(_new_quarantine(dry_run=dry_run))
    found = Import(target, quarantine, Report(dry_run=dry_run)).take(lines)
    _record_end(found, namespace=namespace, by=by)
    return found


def take_in_file(
    *,
    by: Actor,
    file: Path,
    namespace: str = "",
    dry_run: bool = False,
    age: Age = "touch",
    resume: bool = False,
) -> Report:
    """Return the same of a file on this machine, which can be taken up again.

    Sealed lines, as kept snapshots have them, are opened with the keys of this
    installation.

    With `resume` an import of the same file that was cut off goes on where it was.
    """
    notes = resuming.folder_for(file, namespace, dry_run=dry_run)
    intake = Intake(
        file,
        notes,
        target=_target(by, namespace=namespace, dry_run=dry_run, age=age),
        quarantine=None if dry_run else _folder() / f"{notes.name}.jsonl",
        read=kept_piece,
    )
    if not resume:
        intake.forget()
        notes.mkdir(mode=0o700, parents=True)
    found = intake.work(math.inf, lambda report: True)
    assert found is not None  # noqa: S101 - nothing stops it
    intake.forget()
    _record_end(found, namespace=namespace, by=by)
    return found


def order(
    *,
    by: Caller,
    owner_id: str = "",
    namespace: str = "",
    ascii_only: bool = False,
    with_vectors: bool = False,
    once: IdempotencyKey | None = None,
) -> SnapshotView:
    """Return a snapshot that is written in the background.

    It holds what the caller may read when it is written. Raises IdempotencyConflict.
    """
    now = timezone.now()
    params = {
        "namespaces": _readable(by, namespace),
        "owner_id": owner_id,
        "owner_claim": by.owner_claim,
        "ascii": ascii_only,
        "embeddings": with_vectors,
    }
    with isolation.agent_transaction():
        try:
            idempotency.claim(once, now=now)
        except Replay as replay:
            job = Job.objects.get(pk=replay.answer["snapshot_id"])
            return _view(job)
        job = Job.objects.create(
            kind=ordered.KIND,
            namespace_id=by.readable.get(by.home),
            params=params,
            created_by=by.name,
            created_at=now,
        )
        auditing.record(
            "snapshot.order",
            by=by,
            namespace=namespace,
            owner_id=owner_id,
            snapshot=str(job.pk),
        )
        answer = {"snapshot_id": str(job.pk)}
        idempotency.keep(once, answer=answer, owner=None, now=now)
        jobs.call_worker()
    return _view(job)


def ordered_by(*, by: Caller) -> list[SnapshotView]:
    """Return the caller's snapshots, the newest first."""
    with isolation.agent_transaction():
        found = Job.objects.filter(kind=ordered.KIND, created_by=by.name)
        return [_view(job) for job in found.order_by("-id") if _may_have(by, job)]


def find(*, by: Caller, snapshot_id: UUID) -> SnapshotView:
    """Return one of the caller's snapshots; NotFound for any other.

    One that holds a namespace which the caller may no longer read is not found either.
    """
    return _view(_job(by, snapshot_id))


def content(*, by: Caller, snapshot_id: UUID, part: int | None = None) -> Pieces:
    """Return the bytes of a finished snapshot, or of one part; raises NotFound.

    One that holds data which was restricted since is not found until that ends.
    """
    job = _job(by, snapshot_id)
    try:
        if ordered.has_lines_of(job.pk, _restricted()):
            raise NotFound
        pieces = ordered.pieces_of(job.pk, part)
    except FileNotFoundError:
        raise NotFound from None
    with isolation.agent_transaction():
        auditing.record("snapshot.fetch", by=by, snapshot=str(job.pk), part=part)
    return pieces


def _target(by: Actor, *, namespace: str, dry_run: bool, age: Age) -> Target:
    now = timezone.now()
    if not isinstance(by, Caller):
        return everywhere.target(
            by=by, namespace=namespace, dry_run=dry_run, age=age, now=now
        )

    def resolve(namespace: str, owner_id: str) -> Scope:
        return access.write_scope(by, owner_id, namespace=namespace)

    return Target(
        by=by,
        resolve=resolve,
        now=now,
        namespace=namespace,
        dry_run=dry_run,
        age=age,
    )


def _folder() -> Path:
    return Path(settings.HOME) / QUARANTINE


def _new_quarantine(*, dry_run: bool) -> Path | None:
    return None if dry_run else _folder() / f"{uuid4().hex}.jsonl"


def _record_end(found: Report, *, namespace: str, by: Actor) -> None:
    with isolation.transaction_for(by):
        auditing.record(
            "memory.import.end",
            by=by,
            namespace=namespace,
            dry_run=found.dry_run,
            lines=found.lines,
            added=found.added,
            updated=found.updated,
            unchanged=found.unchanged,
            refused=found.refused,
            faults=found.faults,
        )


def _job(by: Caller, snapshot_id: UUID) -> Job:
    with isolation.agent_transaction():
        rows = Job.objects.filter(kind=ordered.KIND, created_by=by.name)
        job = rows.filter(pk=snapshot_id).first()
    if job is None or not _may_have(by, job):
        raise NotFound
    return job


def _restricted() -> list[str]:
    with isolation.agent_transaction():
        rows = Owner.objects.filter(restricted_by__isnull=False)
        return list(rows.values_list("external_id", flat=True))


def _may_have(by: Caller, job: Job) -> bool:
    readable = set(by.readable.values())
    same_claim = by.owner_claim in ("", job.params["owner_claim"])
    return same_claim and readable.issuperset(job.params["namespaces"])


def _view(job: Job) -> SnapshotView:
    try:
        manifest = ordered.manifest_of(job.pk)
    except FileNotFoundError:
        manifest = {"counts": {}, "parts": []}
    return SnapshotView(
        snapshot_id=job.pk,
        state=job.state,
        counts=manifest["counts"],
        parts=manifest["parts"],
        created_at=job.created_at,
        finished_at=job.finished_at,
    )


def _readable(by: Actor, namespace: str) -> list[int]:
    if isinstance(by, Caller):
        names = [namespace] if namespace else list(by.readable)
        return [by.readable[name] for name in names if name in by.readable]
    return Namespace.objects.ids(namespace)
