"""What people move out: a file of memories, written in the background, then fetched."""

from uuid import UUID

from django.utils import timezone

from memory_core import auditing, isolation, jobs
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import JobState
from memory_core.exceptions import NotFound
from memory_core.models import Job, Namespace
from memory_core.snapshots import ordered
from memory_core.snapshots.exporting import Pieces
from memory_core.snapshots.manifest import Manifest


def order(
    *,
    by: Actor,
    namespace: str = "",
    owner_id: str = "",
    ascii_only: bool = False,
    with_vectors: bool = False,
) -> Job:
    """Return the job that writes a namespace, or all; of one owner, or of everybody.

    Raises NotFound for a namespace that is not there.
    """
    spaces = Namespace.objects.ids(namespace)
    if namespace and not spaces:
        raise NotFound
    with isolation.transaction_for(by):
        job = Job.objects.create(
            kind=ordered.KIND,
            namespace_id=spaces[0] if namespace else None,
            params={
                "people": True,
                "namespaces": spaces,
                "namespace": namespace,
                "owner_id": owner_id,
                "owner_claim": "",
                "ascii": ascii_only,
                "embeddings": with_vectors,
            },
            created_by=by.name,
            created_at=timezone.now(),
        )
        auditing.record(
            "snapshot.order",
            by=by,
            namespace=namespace,
            owner_id=owner_id,
            snapshot=str(job.pk),
        )
        jobs.call_worker()
    return job


def find(*, job_id: UUID) -> Job:
    """Return an export that a person ordered; raises NotFound."""
    job = Job.objects.filter(kind=ordered.KIND, params__people=True, pk=job_id).first()
    if job is None:
        raise NotFound
    return job


def manifest_of(job: Job) -> Manifest | None:
    """Return the manifest of a finished export, None before and after its time."""
    if job.state != JobState.DONE:
        return None
    try:
        return ordered.manifest_of(job.pk)
    except FileNotFoundError:
        return None


def content(*, job: Job, by: Actor, part: int | None = None) -> Pieces:
    """Return the bytes of a finished export, or of one part; raises NotFound."""
    try:
        pieces = ordered.pieces_of(job.pk, part)
    except FileNotFoundError:
        raise NotFound from None
    with isolation.transaction_for(by):
        auditing.record("snapshot.fetch", by=by, snapshot=str(job.pk), part=part)
    return pieces
