"""Whether a recall or a search of the index still finds anything of the person."""

from collections.abc import Iterator
from uuid import UUID

import numpy as np

from memory_core.contracts.callers import SYSTEM, Scope
from memory_core.contracts.enums import Status
from memory_core.contracts.erasure import Holds, Residue, Subject
from memory_core.contracts.recall import RecallQuery
from memory_core.models import EmbeddingModel, Memory, Namespace
from memory_core.recall import engine, nearest, query_vectors

QUESTION = "What do you remember? 你记得什么？"
TOP = 50


def by_recall(subject: Subject, holds: Holds) -> Iterator[Residue]:
    """Yield how many memories agents are still given, asked in every namespace."""
    found = 0
    for row, scope in _scopes(subject):
        query = RecallQuery(
            owner_id=scope.owner_id,
            query=QUESTION,
            top_k=TOP,
            include_archived=True,
            touch=False,
        )
        result = engine.search(SYSTEM, scope, query)
        query_vectors.forget(row)
        ids = [hit.memory.memory_id for hit in result.hits]
        found += len(_not_held(ids, holds))
    yield Residue("recall", "memories", found)


def by_neighbourhood(subject: Subject, holds: Holds) -> Iterator[Residue]:
    """Yield how many vectors the index still gives for the owners, in any space."""
    found = 0
    for model in EmbeddingModel.objects.order_by("pk"):
        anywhere = np.zeros(model.dimensions, dtype=np.float32)
        anywhere[0] = 1.0
        for _, scope in _scopes(subject):
            near = nearest.nearest(
                scope, anywhere, model.pk, limit=TOP, statuses=tuple(Status)
            )
            found += len(_not_held([one for one, _ in near], holds))
    yield Residue("neighbourhood", "vectors", found)


def _scopes(subject: Subject) -> Iterator[tuple[int, Scope]]:
    spaces = tuple(Namespace.objects.order_by("pk").values_list("pk", flat=True))
    for row in subject.rows:
        yield row, Scope(row, "", spaces)


def _not_held(ids: list[UUID], holds: Holds) -> set[UUID]:
    rows = Memory.unscoped.filter(pk__in=ids)
    held = (
        rows.filter(pk__in=holds.memories)
        | rows.filter(owner__in=holds.owners)
        | rows.filter(namespace__in=holds.namespaces)
    )
    return set(ids) - set(held.values_list("pk", flat=True))
