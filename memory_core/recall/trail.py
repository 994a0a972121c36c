"""The trail of recalls: events, audit entries, token uses, kept queries."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.conf import settings
from django.db import connection

from memory_core.auditing.batch import Call, record_calls
from memory_core.contracts.touches import Note, moment
from memory_core.models import Namespace, RecallSample
from memory_core.prepared import fetch
from memory_core.screening import redact_secrets

SAMPLES_KEPT = timedelta(days=30)


def known_owners(notes: Sequence[Note]) -> frozenset[int]:
    """Return the owners of `notes` that exist, and keep them until the commit.

    Somebody who was erased meanwhile leaves nothing behind, and an erasure that
    starts now waits for this batch.
    """
    asked = sorted({note.owner for note in notes if note.owner})
    rows = fetch(
        "SELECT id FROM memory_core_owner WHERE id = ANY(%s::bigint[])"
        " ORDER BY id FOR KEY SHARE",
        [asked],
    )
    return frozenset(row[0] for row in rows)


EVENTS = """
INSERT INTO memory_core_recallevent
  (recall_id, memory_id, owner_id, namespace_id, agent_id, token_prefix, rank, score,
   at)
SELECT t.recall_id, t.memory_id, m.owner_id, t.namespace_id, t.agent_id, t.token_prefix,
  t.rank, t.score, t.at
FROM unnest(%s::uuid[], %s::uuid[], %s::bigint[], %s::bigint[], %s::varchar[],
    %s::smallint[], %s::float8[], %s::timestamptz[])
    AS t(recall_id, memory_id, namespace_id, agent_id, token_prefix, rank, score, at)
  JOIN memory_core_memory m ON m.id = t.memory_id
"""


def write_events(notes: Sequence[Note]) -> int:
    """Note which memory was served to whom; return how many events."""
    rows = [
        (
            note.recall_id,
            served.memory_id,
            served.namespace_id,
            note.agent_id,
            note.token_prefix,
            served.rank,
            served.score,
            moment(note.at),
        )
        for note in notes
        for served in note.served
    ]
    if not rows:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(EVENTS, [list(column) for column in zip(*rows, strict=True)])
        return int(cursor.rowcount)


def write_audit(notes: Sequence[Note]) -> int:
    """Write one audit entry for each recall; return how many."""
    return record_calls(
        Call(
            at=moment(note.at),
            action="recall",
            actor=note.actor,
            actor_token=note.token_prefix,
            request_id=note.request_id,
            namespace=note.namespace,
            owner_digest=bytes.fromhex(note.owner_digest),
            details={
                "recall_id": str(note.recall_id),
                "returned": len(note.served),
                "withheld": note.withheld,
            },
        )
        for note in notes
        if note.recall_id is not None
    )


def write_token_uses(notes: Sequence[Note]) -> None:
    """Move each token's last use on."""
    latest: dict[int, float] = {}
    for note in notes:
        latest[note.token_id] = max(note.at, latest.get(note.token_id, 0.0))
    ordered = sorted(latest.items())
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory_core_token k SET last_used_at = greatest(last_used_at, t.at)"
            " FROM unnest(%s::bigint[], %s::timestamptz[]) AS t(id, at)"
            " WHERE k.id = t.id",
            [[t for t, _ in ordered], [moment(at) for _, at in ordered]],
        )


PRUNE = """
DELETE FROM memory_core_recallsample WHERE namespace_id = %s AND (at < %s OR id <= (
  SELECT id FROM memory_core_recallsample WHERE namespace_id = %s
  ORDER BY id DESC OFFSET %s LIMIT 1))
"""


def write_samples(notes: Sequence[Note], owners: frozenset[int]) -> int:
    """Keep the last queries of each namespace; return how many came."""
    by_namespace: dict[int, list[RecallSample]] = {}
    for note in notes:
        sample = note.sample
        if sample is None or note.recall_id is None or note.owner not in owners:
            continue
        by_namespace.setdefault(sample.namespace_id, []).append(
            RecallSample(
                namespace_id=sample.namespace_id,
                owner_id=note.owner,
                recall_id=note.recall_id,
                query=redact_secrets(sample.query).text,
                filters=sample.filters,
                returned=[served.memory_id for served in note.served],
                at=moment(note.at),
            )
        )
    return sum(_keep_last(*item) for item in _existing(by_namespace).items())


def _existing(
    by_namespace: Mapping[int, list[RecallSample]],
) -> dict[int, list[RecallSample]]:
    there = Namespace.objects.filter(pk__in=by_namespace).values_list("pk", flat=True)
    return {namespace: by_namespace[namespace] for namespace in there}


def _keep_last(namespace: int, samples: list[RecallSample]) -> int:
    most = settings.RECALL_SAMPLES
    latest = sorted(samples, key=lambda sample: sample.at)[-most:] if most else []
    RecallSample.objects.bulk_create(latest)
    oldest = max(sample.at for sample in samples) - SAMPLES_KEPT
    with connection.cursor() as cursor:
        cursor.execute(PRUNE, [namespace, oldest, namespace, most])
    return len(latest)
