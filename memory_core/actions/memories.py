"""What agents and people do to memories: save, update, delete."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar
from uuid import UUID

from django.utils import timezone

from memory_core import idempotency, isolation
from memory_core.actions import access
from memory_core.actions.guards import REFUSALS, record_refusal, require_writable
from memory_core.contracts.callers import Actor, Caller, Scope
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.contracts.memories import (
    Draft,
    ForgettingHint,
    Forgotten,
    Saved,
)
from memory_core.exceptions import InvalidInput, MnemeError, NamespaceNotWritable
from memory_core.models import Memory, Namespace, Owner
from memory_core.recall.views import views_of
from memory_core.saving import forgetting, matching, pipeline, preparing
from memory_core.saving.preparing import Prepared

T = TypeVar("T")


def remember(*, draft: Draft, by: Actor, once: IdempotencyKey | None = None) -> Saved:
    """Return what became of a draft: added, reinforced, updated or unchanged.

    Raises NamespaceNotWritable, OwnerNotAllowed, SourceBlocked, OwnerBeingErased,
    OwnerErased, ScreeningRefused, InvalidInput, IdempotencyConflict.
    """
    [result] = _remember([draft], by, [once])
    if isinstance(result, MnemeError):
        raise result
    return result


def remember_many(
    *,
    drafts: Sequence[Draft | MnemeError],
    by: Actor,
    once: IdempotencyKey | None = None,
) -> list[Saved | MnemeError]:
    """Return what became of each draft, in order; a refused one spoils no other.

    They embed together and are stored one by one, each in a transaction of its own:
    a batch that is cut off in the middle can be sent again under its key.
    """
    keys = [once.part(number) if once else None for number in range(len(drafts))]
    return _remember(drafts, by, keys)


def forget(
    *,
    by: Actor,
    scope: Scope,
    memory_id: UUID,
    reason: str = "",
    once: IdempotencyKey | None = None,
) -> bool:
    """Return whether the memory was there; now it is gone, an audit entry stays.

    Unknown, foreign and already deleted are the same False. Raises
    NamespaceNotWritable for one that may only be read, LegalHoldInForce.
    """
    now = timezone.now()
    with isolation.transaction_for(by, scope):
        try:
            idempotency.claim(once, now=now)
        except Replay as replay:
            return bool(replay.answer["deleted"])
        memory = Memory.objects.within(scope).filter(pk=memory_id).first()
        if memory is None:
            return False
        require_writable(memory, by)
        narrow = replace(scope, namespaces=(memory.namespace_id,))
        gone = forgetting.forget(
            [memory_id], scope=narrow, by=by, reason=reason, now=now
        )
        answer = {"memory_id": str(memory_id), "deleted": bool(gone)}
        idempotency.keep(once, answer=answer, owner=scope.owner or None, now=now)
    return bool(gone)


def forget_matching(
    *,
    by: Actor,
    scope: Scope,
    query: str = "",
    session_id: str = "",
    since: datetime | None = None,
    dry_run: bool = True,
    unseen: bool = False,
    once: IdempotencyKey | None = None,
) -> Forgotten:
    """Return what was deleted for good, or in a dry run would be.

    Every condition that is given has to hold; a query means what says it or is about
    it, in every state. `unseen` says that nobody has seen a dry run: then it is
    followed only as far as one sentence reaches. Only namespaces that the caller may
    write to are touched. Raises InvalidInput without any condition, LegalHoldInForce.
    """
    if not (query or session_id or since):
        raise InvalidInput("Name a query, a session or a moment.", field="query")
    now = timezone.now()
    scope = _writable_part(scope, by)
    with isolation.transaction_for(by, scope):
        try:
            idempotency.claim(None if dry_run else once, now=now)
        except Replay as replay:
            return Forgotten(
                tuple(map(UUID, replay.answer["memory_ids"])),
                hint=replay.answer.get("hint", ""),
            )
        rows = matching.by_circumstance(scope=scope, session_id=session_id, since=since)
        hint: ForgettingHint = ""
        if query:
            meant = matching.by_matter(query, scope=scope, unseen=unseen)
            narrowed = bool(session_id or since)
            if not (narrowed and meant.hint == "everything"):
                rows, hint = rows.filter(pk__in=meant.memory_ids), meant.hint
        ids = tuple(rows.order_by("pk").values_list("pk", flat=True))
        if query and not ids:
            hint = hint or "nothing_fits"
        if dry_run:
            going = tuple(forgetting.with_unions(ids, scope))
            views = views_of(going, now=now)
            shown = tuple(views[one] for one in going if one in views)
            return Forgotten(going, shown, hint)
        gone = forgetting.forget(ids, scope=scope, by=by, now=now)
        answer = {"memory_ids": list(map(str, gone)), "hint": hint}
        idempotency.keep(once, answer=answer, owner=scope.owner or None, now=now)
    return Forgotten(tuple(gone), hint=hint)


def _writable_part(scope: Scope, by: Actor) -> Scope:
    if not isinstance(by, Caller):
        return scope
    writable = set(by.writable.values())
    return replace(
        scope, namespaces=tuple(one for one in scope.namespaces if one in writable)
    )


def _remember(
    drafts: Sequence[Draft | MnemeError],
    by: Actor,
    keys: Sequence[IdempotencyKey | None],
) -> list[Saved | MnemeError]:
    now = timezone.now()
    results: dict[int, Saved | MnemeError] = {}
    ready: dict[int, Prepared] = {}
    for number, (draft, once) in enumerate(zip(drafts, keys, strict=True)):
        if isinstance(draft, MnemeError):
            results[number] = draft
            continue
        found = _answered(partial(_prepare, draft, by, once, now=now), draft, by)
        if isinstance(found, Prepared):
            ready[number] = found
        else:
            results[number] = found
    embedded = zip(ready, preparing.with_vectors(list(ready.values())), strict=True)
    for number, prepared in embedded:
        results[number] = _answered(
            partial(_store, prepared, keys[number]), prepared.draft, by
        )
    return [results[number] for number in range(len(drafts))]


def _prepare(
    draft: Draft, by: Actor, once: IdempotencyKey | None, *, now: datetime
) -> Prepared:
    scope = _write_scope(draft, by)
    if once:
        with isolation.transaction_for(by, scope):
            idempotency.peek(once, now=now)
    return preparing.prepare(draft, by, scope, now=now)


def _store(prepared: Prepared, once: IdempotencyKey | None) -> Saved:
    with pipeline.opened(prepared, once) as (current, place):
        saved = pipeline.store(current, place)
        idempotency.keep(
            once,
            answer=saved.to_dict(),
            owner=place.owner,
            now=prepared.now,
        )
    return saved


def _answered(step: Callable[[], T], draft: Draft, by: Actor) -> T | Saved | MnemeError:
    """Return what a step gives, the answer given before, or the refusal, audited."""
    try:
        return step()
    except Replay as replay:
        return Saved.from_dict(replay.answer)
    except REFUSALS as error:
        record_refusal(error, draft, by, action="memory.save")
        return error
    except MnemeError as error:
        return error


def _write_scope(draft: Draft, by: Actor) -> Scope:
    """Where the draft goes; a person may write to every namespace that exists."""
    if isinstance(by, Caller):
        return access.write_scope(by, draft.owner_id, namespace=draft.namespace)
    with isolation.transaction_for(by):
        space = Namespace.objects.filter(name=draft.namespace).first()
        owner = Owner.objects.filter(external_id=draft.owner_id).first()
    if space is None:
        raise NamespaceNotWritable()
    return Scope(owner.pk if owner else 0, draft.owner_id, (space.pk,))
