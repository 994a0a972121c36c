"""A made-up person who is remembered, recalled and erased every day."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_core import ledger
from memory_core.contracts.callers import SYSTEM, Scope
from memory_core.contracts.enums import NamespaceKind
from memory_core.contracts.erasure import (
    Identifier,
    IdentifierKind,
    RunState,
    Subject,
)
from memory_core.contracts.memories import Draft
from memory_core.contracts.recall import RecallQuery
from memory_core.erasure import fencing
from memory_core.erasure.fencing import Order
from memory_core.keys.tombstones import Digest
from memory_core.models import ErasureRun, Namespace, Owner, Tombstone
from memory_core.recall import engine
from memory_core.saving import pipeline, preparing

NAMESPACE = "mneme-canary"
EVERY = timedelta(hours=23)
KEPT = timedelta(days=30)
PATIENCE = timedelta(hours=1)
"""An erasure of one memory that takes longer than this is an alarm."""
BEFORE, BY = "system", "system:canary"


@dataclass(frozen=True, slots=True)
class Canary:
    """The last one: when it was sent, how far its erasure came, in seconds if done.

    `is_well` is False when it failed, left something, or takes too long.
    """

    sent_at: datetime
    state: RunState
    is_well: bool
    seconds: float | None


class NotRemembered(Exception):
    """The canary was saved and a recall did not find it: the proof would be void."""


def send(*, now: datetime) -> ErasureRun | None:
    """Remember, recall and begin to erase a new person; None if it was done lately."""
    since = now - EVERY
    if ErasureRun.objects.filter(is_canary=True, fenced_at__gt=since).exists():
        return None
    word = secrets.token_hex(6)
    owner_id = f"canary-{word}"
    scope = _remember(owner_id, word, now=now)
    found = engine.search(SYSTEM, scope, RecallQuery(owner_id=owner_id, query=word))
    if not found.hits:
        raise NotRemembered
    name = Identifier(IdentifierKind.NAME, word)
    ref = f"canary-{now:%Y%m%d%H%M%S}"
    order = Order(ref, "canary", BEFORE, BY, is_canary=True)
    subject = Subject((owner_id,), (name,))
    return fencing.fence(subject, order, mentions={}, by=SYSTEM, now=now)


def last(*, now: datetime) -> Canary | None:
    """Return how the last one fared, None before the first."""
    run = ErasureRun.objects.filter(is_canary=True).order_by("-fenced_at").first()
    if run is None:
        return None
    state = RunState(run.state)
    is_done = state == RunState.LIVE_ERASED
    is_well = is_done or (
        state in (RunState.FENCED, RunState.EXECUTING, RunState.VERIFYING)
        and now - run.fenced_at < PATIENCE
    )
    took = (run.live_erased_at - run.fenced_at) if run.live_erased_at else None
    return Canary(run.fenced_at, state, is_well, took.total_seconds() if took else None)


def prune(*, now: datetime) -> int:
    """Forget runs and tombstones of canaries that are long gone; return how many."""
    old = ErasureRun.objects.filter(
        is_canary=True, state=RunState.LIVE_ERASED, fenced_at__lt=now - KEPT
    )
    runs = list(old)
    for run in runs:
        stones = Tombstone.objects.filter(case_ref=run.case_ref)
        marks = [Digest(one.key_id, bytes(one.digest), one.kind) for one in stones]
        ledger.append(ledger.Event.LIFT, marks, request=run.case_ref, now=now)
        stones.delete()
        run.delete()
    return len(runs)


def _remember(owner_id: str, word: str, *, now: datetime) -> Scope:
    space, _ = Namespace.objects.get_or_create(
        name=NAMESPACE, defaults={"kind": NamespaceKind.SHARED}
    )
    draft = Draft(
        owner_id=owner_id,
        content=f"The canary of this day is called {word}.",
        namespace=NAMESPACE,
        source_kind="user_input",
        source_name=owner_id,
    )
    prepared = preparing.prepare(
        draft, SYSTEM, Scope(0, owner_id, (space.pk,)), now=now
    )
    [placed] = preparing.with_vectors([prepared])
    with pipeline.opened(placed) as (current, place):
        pipeline.store(current, place)
    row = Owner.objects.get(external_id=owner_id)
    return Scope(row.pk, owner_id, (space.pk,))
