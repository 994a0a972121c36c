"""Half-lives as people save them: at once, or with a second person if much would go."""

from dataclasses import asdict
from datetime import datetime, timedelta

from memory_core import auditing, isolation
from memory_core.actions import categories
from memory_core.contracts.callers import Actor
from memory_core.contracts.categories import Settings
from memory_core.exceptions import TransitionRefused
from memory_core.models import Category, CategoryVersion, Namespace
from moderation.dropping import dropped_share
from moderation.models import CategoryChange
from moderation.models.category_change import MUCH

GRACE = timedelta(hours=24)
"""After such a change nothing of the category is archived for so long."""


def save(
    *,
    category: Category,
    settings: Settings,
    by: Actor,
    note: str,
    now: datetime,
    namespace: Namespace | None = None,
) -> CategoryVersion | CategoryChange:
    """Return the new version, or the change that waits for a second person.

    What a week's changes drop together counts as one. A change that waited for the
    same category and namespace is declined by a new one. Raises InvalidInput.
    """
    categories.check(settings)
    with isolation.transaction_for(by):
        # saves of memories refer to the row meanwhile
        Category.objects.select_for_update(no_key=True).get(pk=category.pk)
        share = dropped_share(category, settings, namespace=namespace, now=now)
        if share <= MUCH:
            return categories.tune(
                category=category,
                settings=settings,
                by=by,
                note=note,
                namespace=namespace,
            )
        for old in waiting(category, namespace):
            _close(old, CategoryChange.State.DECLINED, by, now)
        change = CategoryChange.objects.create(
            category=category,
            namespace=namespace,
            values=asdict(settings),
            share=share,
            note=note,
            proposed_by=by.name,
            created_at=now,
        )
        _record("category.propose", change, by)
    return change


def roll_back(
    *, version: CategoryVersion, by: Actor, now: datetime
) -> CategoryVersion | CategoryChange:
    """Return what `save` returns for the values of an earlier version."""
    return save(
        category=version.category,
        settings=Settings(**version.values),
        by=by,
        note=f"back to version {version.version}",
        now=now,
        namespace=version.namespace,
    )


def confirm(*, change: CategoryChange, by: Actor, now: datetime) -> CategoryVersion:
    """Return the new version; nothing is archived for a day.

    Raises TransitionRefused for who proposed it and when it no longer waits.
    """
    with isolation.transaction_for(by):
        row = _waiting(change)
        if row.proposed_by == by.name:
            raise TransitionRefused(
                "Who proposed it may not confirm it.", why="own_change"
            )
        _close(row, CategoryChange.State.CONFIRMED, by, now)
        _record("category.confirm", row, by)
        return categories.tune(
            category=row.category,
            settings=Settings(**row.values),
            by=by,
            note=row.note,
            namespace=row.namespace,
            archives_after=now + GRACE,
        )


def decline(*, change: CategoryChange, by: Actor, now: datetime) -> CategoryChange:
    """Return the change, which is over; who proposed it may take it back so.

    Raises TransitionRefused when it no longer waits.
    """
    with isolation.transaction_for(by):
        row = _waiting(change)
        _close(row, CategoryChange.State.DECLINED, by, now)
        _record("category.decline", row, by)
    return row


def waiting(category: Category, namespace: Namespace | None) -> list[CategoryChange]:
    """Return the change of a category and namespace that waits, if one does."""
    return list(
        CategoryChange.objects.filter(
            category=category,
            namespace=namespace,
            state=CategoryChange.State.WAITING,
        )
    )


def _waiting(change: CategoryChange) -> CategoryChange:
    row = CategoryChange.objects.select_for_update(of=("self",)).get(pk=change.pk)
    if row.state != CategoryChange.State.WAITING:
        raise TransitionRefused(
            "It no longer waits.", why="decided", decided_by=row.decided_by
        )
    return row


def _close(
    change: CategoryChange, state: CategoryChange.State, by: Actor, now: datetime
) -> None:
    change.state, change.decided_by, change.decided_at = state, by.name, now
    change.save(update_fields=["state", "decided_by", "decided_at"])


def _record(action: str, change: CategoryChange, by: Actor) -> None:
    auditing.record(
        action,
        by=by,
        namespace=change.namespace.name if change.namespace else "",
        category=change.category.name,
        change=change.pk,
        share=round(change.share, 4),
        **change.values,
    )
