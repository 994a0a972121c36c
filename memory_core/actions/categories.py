"""Half-lives: changed by people, in numbered versions, with the effect seen first."""

from dataclasses import asdict
from datetime import datetime

from django.db.models import Max

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.categories import LONGEST, SHORTEST, Settings
from memory_core.exceptions import InvalidInput
from memory_core.models import (
    Category,
    CategoryOverride,
    CategoryVersion,
    Namespace,
)


def settings_of(category: Category, namespace: Namespace | None = None) -> Settings:
    """Return what holds for a category, in a namespace if it has values of its own."""
    row = _row(category, namespace) or category
    return Settings(row.half_life, row.floor, row.bonus_cap, row.archive_below)


def tune(
    *,
    category: Category,
    settings: Settings,
    by: Actor,
    note: str,
    namespace: Namespace | None = None,
    archives_after: datetime | None = None,
) -> CategoryVersion:
    """Return the new version; recalls heed it from now on.

    Consolidation archives nothing of the category before `archives_after`, or before
    what an earlier change has set. Raises InvalidInput.
    """
    check(settings)
    with isolation.transaction_for(by):
        Category.objects.select_for_update().get(pk=category.pk)
        version = _keep(category, namespace, settings, by, note)
        values = {**asdict(settings), "version": version.version}
        if archives_after:
            values["archives_after"] = archives_after
        if namespace is None:
            Category.objects.filter(pk=category.pk).update(**values)
        else:
            CategoryOverride.objects.update_or_create(
                category=category, namespace=namespace, defaults=values
            )
        auditing.record(
            "category.tune",
            by=by,
            namespace=namespace.name if namespace else "",
            category=category.name,
            version=version.version,
            **asdict(settings),
        )
    return version


def check(settings: Settings) -> None:
    """Raise InvalidInput for values that mean nothing."""
    if not SHORTEST <= settings.half_life <= LONGEST:
        raise InvalidInput("A half-life lasts from an hour to ten years.")
    scores = (settings.floor, settings.bonus_cap, settings.archive_below)
    if not all(0 <= score <= 1 for score in scores):
        raise InvalidInput("Scores lie between 0 and 1.")


def _row(category: Category, namespace: Namespace | None) -> CategoryOverride | None:
    if namespace is None:
        return None
    return CategoryOverride.objects.filter(
        category=category, namespace=namespace
    ).first()


def _keep(
    category: Category,
    namespace: Namespace | None,
    settings: Settings,
    by: Actor,
    note: str,
) -> CategoryVersion:
    kept = CategoryVersion.objects.filter(category=category, namespace=namespace)
    last = kept.aggregate(last=Max("version"))["last"]
    if last is None:
        last = 1
        CategoryVersion.objects.create(
            category=category,
            namespace=namespace,
            version=last,
            values=asdict(settings_of(category, namespace)),
            changed_by="system",
            note="as installed",
        )
    return CategoryVersion.objects.create(
        category=category,
        namespace=namespace,
        version=last + 1,
        values=asdict(settings),
        changed_by=by.name,
        note=note,
    )
