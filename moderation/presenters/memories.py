"""Memories as people browse them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from memory_core.models import Memory

PAGE = 50


@dataclass(frozen=True, slots=True)
class Browsed:
    """One page, the newest first; `after` leads to the next."""

    rows: list[Memory]
    after: UUID | None


def browse(filters: dict[str, Any], *, after: UUID | None = None) -> Browsed:
    """Return a page of what fits the filters (see `forms.memories.BrowseForm`)."""
    rows = _narrowed(filters)
    if after:
        rows = rows.filter(pk__lt=after)
    found = list(
        rows.select_related("source", "category", "namespace", "owner").order_by("-pk")[
            : PAGE + 1
        ]
    )
    shown = found[:PAGE]
    return Browsed(shown, shown[-1].pk if len(found) > PAGE else None)


def _narrowed(filters: dict[str, Any]) -> QuerySet[Memory]:
    lookups = {
        "owner": "owner__external_id",
        "status": "status",
        "category": "category__name",
        "namespace": "namespace__name",
        "kind": "source__kind",
        "source": "source_id",
        "text": "content__icontains",
    }
    wanted = {
        lookup: filters[name] for name, lookup in lookups.items() if filters.get(name)
    }
    return Memory.unscoped.filter(**wanted)
