"""After a restore: whoever was erased since the backup is erased again.

The ledger has digests only. The owners of the restored database are digested with every
live key and compared. By which names a person is found in other people's memories, and
what was decided on these, stands sealed beside it (`repeating`).
"""

import time
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime

from memory_core import ledger
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.erasure import RunState, Subject, Treatment
from memory_core.erasure import (
    discovery,
    fencing,
    mentions,
    passes,
    repeating,
    running,
    sealing,
)
from memory_core.erasure.fencing import Order
from memory_core.keys import tombstones
from memory_core.models import ErasureRun, Owner, Tombstone

SECONDS = 600.0
GROUND = "restored"
PREPARED_BY, APPROVED_BY = "system:restore", "system:ledger"
GOOD = (RunState.LIVE_ERASED, RunState.PARTIALLY_ERASED)
"""A legal hold in the backup keeps what it holds; the service may open."""


@dataclass(frozen=True, slots=True)
class Reapplied:
    """How many runs erased somebody again, what is left, and which cases failed."""

    erased: int
    residue: int
    failed: list[str]


def reapply(*, now: datetime) -> Reapplied:
    """Put back the tombstones that the database lacks and erase whom any names.

    An owner behind a tombstone may also be there because this was cut off before. Where
    it is known by which names a person was mentioned, those go again too. Runs as the
    owner of the tables, while nobody is served.
    """
    _put_tombstones(ledger.missing(), now=now)
    standing = ledger.standing()
    returned = _returned(standing)
    failed, done = [], []
    for kept in list(repeating.pending()):
        owners = returned.pop(kept.case, [])
        if kept.subject is None:
            failed.append(kept.case or kept.run)
        elif _stands(kept.subject, standing):
            run = _finish(_again(kept, kept.subject, owners, now=now))
            done.append(run)
            if run.state in GOOD and run.ref != kept.run:
                repeating.drop(kept.run)
    for case, owners in returned.items():
        done.append(_finish(_fence(case, Subject(tuple(owners)), now=now)))
    return Reapplied(
        erased=sum(run.state in GOOD for run in done),
        residue=sum(one["count"] for run in done for one in run.probes),
        failed=failed
        + [run.case_ref or run.ref for run in done if run.state not in GOOD],
    )


def _stands(subject: Subject, standing: list[ledger.Entry]) -> bool:
    """Return whether the erasure holds: it does not once the person has come back."""
    marked = [one for one in subject.names if one.kind in fencing.MARKED]
    known = {one.digest for one in standing}
    digests = {
        digest.digest.hex()
        for one in marked
        for digest in tombstones.digests_of(one.kind, one.value)
    }
    return not marked or bool(digests & known)


def _again(
    kept: repeating.Kept, subject: Subject, owners: list[str], *, now: datetime
) -> ErasureRun:
    """Return the run that repeats one; the backup may have it, cut off half-way.

    Mentions that nobody had to decide on then, since they were gone, are redacted: in
    restore mode nobody can be asked.
    """
    every = tuple(dict.fromkeys((*subject.owner_ids, *owners)))
    found = discovery.located(replace(subject, owner_ids=every))
    turned_up = dict.fromkeys(mentions.ids_of(found), Treatment.REDACT)
    whole = replace(found, mentions={**turned_up, **(subject.mentions or {})})
    run = ErasureRun.objects.filter(ref=kept.run).first()
    if run is None:
        return _fence(kept.case, whole, now=now)
    sealing.seal_again(run, whole)
    run.state, run.retry_at, run.failures, run.rounds = RunState.EXECUTING, None, 0, 0
    run.save()
    passes.start_again(run)
    return run


def _put_tombstones(entries: list[ledger.Entry], *, now: datetime) -> None:
    Tombstone.objects.bulk_create(
        [
            Tombstone(
                kind=one.kind,
                digest=bytes.fromhex(one.digest),
                key_id=one.kid,
                case_ref=one.request,
                fenced_at=datetime.fromisoformat(one.at),
                erased_at=now,
            )
            for one in entries
        ],
        ignore_conflicts=True,
    )


def _returned(entries: list[ledger.Entry]) -> dict[str, list[str]]:
    """Return the owners that the restore brought back, by the case that erased them."""
    cases = {bytes.fromhex(one.digest): one.request for one in entries}
    found: dict[str, list[str]] = defaultdict(list)
    if not cases:
        return found
    names = Owner.objects.order_by("pk").values_list("external_id", flat=True)
    for owner_id in names.iterator(chunk_size=5_000):
        for digest in tombstones.standing_for(owner_id):
            if case := cases.get(digest.digest):
                found[case].append(owner_id)
                break
    return found


def _fence(case: str, subject: Subject, *, now: datetime) -> ErasureRun:
    """The tombstones stand; a run that the backup has under the case is another one."""
    order = Order(case, GROUND, PREPARED_BY, APPROVED_BY)
    decided = subject.mentions or {}
    return fencing.fence(subject, order, mentions=decided, by=SYSTEM, now=now)


def _finish(run: ErasureRun) -> ErasureRun:
    """Work until the run has ended, waiting where it has to."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        run = running.work(run.pk, until=end)
        if run.state in (*GOOD, RunState.FAILED):
            break
        time.sleep(0.5)
    return run
