"""What memories live in: namespaces, agents and grants, policies, judged sources.

One small file beside the memories, written anew at most once a minute. No secrets:
tokens and people of the console are made anew after a loss.
"""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q

from memory_core.models import (
    Agent,
    Category,
    CategoryOverride,
    Grant,
    Namespace,
    Source,
)
from memory_core.snapshots.cold import folder
from memory_core.snapshots.keeping import write
from memory_core.snapshots.lines import written

NAME = "surroundings.json"
ASIDE = "surroundings-before-"
EVERY = timedelta(minutes=1)

POLICY = ("half_life", "floor", "bonus_cap", "archive_below")
SPACE = (
    *("name", "kind", "rate", "secrets"),
    *("hold_inferences", "review_share", "agent_review", "second_review"),
)
SOURCE = (
    *("kind", "name", "key", "trust", "blocked_at", "blocked_by", "blocked_until"),
    *("block_reason", "refused_writes"),
)

Values = dict[str, Any]


def keep(*, is_ours: bool, now: datetime) -> None:
    """Write the file if the last time was long enough ago.

    One that another database has left, `is_ours` being False, is put aside first: it
    waits for a replay.
    """
    path = folder.root() / NAME
    if not is_ours and path.exists():
        path.rename(path.with_name(f"{ASIDE}{now:%Y%m%d%H%M%S}.json"))
    if path.exists() and now.timestamp() - path.stat().st_mtime < EVERY.total_seconds():
        return
    text = json.dumps(_described(), ensure_ascii=False, default=_plain, indent=1)
    write(path, iter([text.encode()]))


def bring_back(where: Path) -> None:
    """Make what a cold copy describes and lacks here; set policies and blocks.

    What was put aside counts more than the present, the later more than the earlier.
    """
    for path in [where / NAME, *sorted(where.glob(f"{ASIDE}*.json"))]:
        if path.exists():
            _bring_back(json.loads(path.read_bytes()))


def _bring_back(given: Values) -> None:
    with transaction.atomic():
        for values in given["namespaces"]:
            Namespace.objects.update_or_create(name=values.pop("name"), defaults=values)
        spaces = {one.name: one for one in Namespace.objects.all()}
        for values in given["agents"]:
            home = spaces[values.pop("namespace")]
            Agent.objects.update_or_create(
                name=values.pop("name"), defaults=values | {"namespace": home}
            )
        _bring_back_grants(given["grants"], spaces)
        _bring_back_policies(given, spaces)
        for values in given["sources"]:
            names = {name: values.pop(name) for name in ("kind", "key")}
            Source.objects.update_or_create(
                namespace=spaces[values.pop("namespace")], **names, defaults=values
            )


def _bring_back_grants(given: list[Values], spaces: dict[str, Namespace]) -> None:
    agents = {one.name: one for one in Agent.objects.all()}
    for values in given:
        Grant.objects.get_or_create(
            agent=agents[values.pop("agent")],
            namespace=spaces[values.pop("namespace")],
            defaults=values,
        )


def _bring_back_policies(given: Values, spaces: dict[str, Namespace]) -> None:
    kinds = {one.name: one for one in Category.objects.all()}
    for values in given["categories"]:
        Category.objects.filter(name=values.pop("name")).update(**values)
    for values in given["overrides"]:
        CategoryOverride.objects.update_or_create(
            category=kinds[values.pop("category")],
            namespace=spaces[values.pop("namespace")],
            defaults=values,
        )


def _described() -> dict[str, list[Values]]:
    spaces = dict(Namespace.objects.values_list("pk", "name"))
    agents = dict(Agent.objects.values_list("pk", "name"))
    kinds = dict(Category.objects.values_list("pk", "name"))
    judged = Q(blocked_at__isnull=False) | ~Q(trust="normal")
    return {
        "namespaces": list(Namespace.objects.order_by("pk").values(*SPACE)),
        "agents": [
            {
                "name": one.name,
                "namespace": spaces[one.namespace_id],
                "disabled_at": one.disabled_at,
            }
            for one in Agent.objects.order_by("pk")
        ],
        "grants": [
            {
                "agent": agents[one.agent_id],
                "namespace": spaces[one.namespace_id],
                "can_read": one.can_read,
                "can_write": one.can_write,
            }
            for one in Grant.objects.order_by("pk")
        ],
        "categories": list(Category.objects.order_by("pk").values("name", *POLICY)),
        "overrides": [
            {"category": kinds[category], "namespace": spaces[space], **policy}
            for category, space, policy in _overrides()
        ],
        "sources": [
            {"namespace": spaces[one.namespace_id]}
            | {name: getattr(one, name) for name in SOURCE}
            for one in Source.objects.filter(judged).order_by("pk")
        ],
    }


def _overrides() -> list[tuple[int, int, Values]]:
    return [
        (one.category_id, one.namespace_id, {n: getattr(one, n) for n in POLICY})
        for one in CategoryOverride.objects.order_by("pk")
    ]


def _plain(value: object) -> str:
    return written(value) if isinstance(value, datetime) else str(value)
