"""Past recalls with what was used of them, asked once more."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from django.db import transaction

from memory_core.contracts.callers import Scope
from memory_core.embedding import UNCALIBRATED, Calibration
from memory_core.lexical import ceiling
from memory_core.models import Feedback, RecallSample
from memory_core.recall import candidates
from memory_core.recall.candidates import Found
from memory_core.recall.question import Asked, Background, background_of, make_ready
from memory_core.recall.ranking import Candidates, Flags, Question
from memory_core.recall.reach import Reach

CANDIDATES = 100
GOOD = ("used", "useful")
NARROWED = ("categories", "tags", "source_kinds", "tiers", "metadata", "sessions")


@dataclass(frozen=True, slots=True)
class Case:
    """One recall: its candidates as they are now, and which of them were of use."""

    candidates: Candidates
    question: Question
    calibration: Calibration
    wanted: Flags


def cases_of(namespace: int, *, most: int) -> list[Case]:
    """Return the last recalls that found something of use in a namespace.

    Asked is what that namespace alone gives. Recalls with filters are left out, and
    those whose used memories are gone.
    """
    used = _used(namespace)
    rows = RecallSample.objects.filter(recall_id__in=used.keys())
    found = []
    for sample in rows.select_related("owner").order_by("-at")[:most]:
        if sample.filters.keys() & set(NARROWED):
            continue
        case = _case(sample, namespace, used[sample.recall_id])
        if case is not None:
            found.append(case)
    return found


def _used(namespace: int) -> Mapping[UUID, set[UUID]]:
    used: dict[UUID, set[UUID]] = {}
    rows = Feedback.objects.filter(namespace_id=namespace, verdict__in=GOOD)
    for recall_id, memory_id in _pairs(rows.exclude(recall_id=None).iterator()):
        used.setdefault(recall_id, set()).add(memory_id)
    return used


def _pairs(rows: Iterator[Feedback]) -> Iterator[tuple[UUID, UUID]]:
    for row in rows:
        if row.recall_id is not None:
            yield row.recall_id, row.memory_id


def _case(sample: RecallSample, namespace: int, used: set[UUID]) -> Case | None:
    scope = Scope(sample.owner_id, sample.owner.external_id, (namespace,))
    reach = Reach(scope)
    with transaction.atomic():
        background = background_of(scope)
        asked = make_ready(sample.query, background, scope)
        found = candidates.look_for(asked, background, reach, CANDIDATES)
        at = sample.at.timestamp()
        pool = candidates.ranked(found, asked, background, reach, now=at)
    wanted = np.array([row.id in used for row in pool.rows], dtype=np.bool_)
    if not wanted.any() or wanted.all():
        return None
    return Case(
        pool.candidates,
        _question(found, asked, background),
        asked.space.embedder.calibration if asked.space else UNCALIBRATED,
        wanted,
    )


def _question(found: Found, asked: Asked, background: Background) -> Question:
    counts = {term: round(count) for term, count in found.frequency.items()}
    most = ceiling(asked.terms, counts, background.corpus.memories)
    return Question(most, asked.unspaced)
