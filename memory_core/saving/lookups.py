"""What every save needs to know and nobody changes often: kept for seconds."""

from dataclasses import dataclass
from threading import Lock

from cachetools import TTLCache, cached
from django.conf import settings
from django.db.models import Q

from memory_core.contracts.enums import Secrets
from memory_core.exceptions import InvalidInput
from memory_core.models import Category, CategoryOverride, Namespace
from memory_core.scoring import Policy

SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Kind:
    """A category as a save needs it."""

    id: int
    name: str
    strategy: str


@dataclass(frozen=True, slots=True)
class Space:
    """A namespace as a save needs it; `share` in [0, 1] is held for review.

    `redacts` says that secrets are replaced instead of refused.
    """

    id: int
    name: str
    holds: str
    share: float
    redacts: bool = False


def category(name: str) -> Kind:
    """Return the category of that name; raises InvalidInput when there is none."""
    kinds = _categories()
    if name not in kinds:
        raise InvalidInput("There is no such category.", field="category")
    return kinds[name]


def category_name(pk: int) -> str:
    """Return the name of the category with that row id."""
    return next(kind.name for kind in _categories().values() if kind.id == pk)


def mergeable() -> list[int]:
    """Return the ids of categories whose memories may merge or replace each other."""
    return [kind.id for kind in _categories().values() if kind.strategy != "append"]


@cached(TTLCache(1_024, SECONDS), lock=Lock())
def namespace(pk: int) -> Space:
    """Return the namespace with that row id."""
    row = Namespace.objects.get(pk=pk)
    redacts = (row.secrets or settings.SECRETS) == Secrets.REDACT
    return Space(pk, row.name, row.hold_inferences, row.review_share, redacts)


@cached(TTLCache(4_096, SECONDS), lock=Lock())
def policy(category_id: int, namespace_id: int) -> Policy:
    """Return how the category is forgotten in the namespace."""
    base = Category.objects.get(pk=category_id)
    override = CategoryOverride.objects.filter(
        Q(category=category_id) & Q(namespace=namespace_id)
    ).first()
    row = override or base
    return Policy(
        half_life=row.half_life,
        floor=row.floor,
        bonus_cap=row.bonus_cap,
        archive_below=row.archive_below,
        has_deadline=base.has_deadline,
    )


def forget() -> None:
    """Drop everything that was kept."""
    for kept in (_categories, namespace, policy):
        kept.cache_clear()


@cached(TTLCache(1, SECONDS), lock=Lock())
def _categories() -> dict[str, Kind]:
    rows = Category.objects.values_list("pk", "name", "write_strategy")
    return {name: Kind(pk, name, strategy) for pk, name, strategy in rows}
