"""What a query asks, in the light of its owner: names, terms, a vector."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_core.contracts.callers import Scope
from memory_core.contracts.enums import VectorSpaceState
from memory_core.embedding import EmbedderUnavailable, is_unspaced
from memory_core.lexical import named, query_terms, strip_names
from memory_core.prepared import fetch
from memory_core.recall import names
from memory_core.recall.profiles import DEFAULT, RankingWeights
from memory_core.recall.query_vectors import query_vector
from memory_core.recall.spaces import Space, embedder
from memory_core.recall.words import Corpus
from memory_core.stages import stage


@dataclass(frozen=True, slots=True)
class Background:
    """What a search has to know of its owner and namespaces beforehand.

    `subjects` are whom or what the memories are about, `stated` the names that
    profiles state.
    """

    subjects: frozenset[str]
    stated: frozenset[str]
    corpus: Corpus
    weights: RankingWeights
    model_id: int | None
    model_name: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A query made ready: `terms` by count, `vector` unless the embedder is away.

    `about` is the one person that the query names, empty for none or several.
    """

    terms: Mapping[str, int]
    unspaced: bool
    about: str
    space: Space | None
    vector: NDArray[np.float32] | None
    hints: tuple[str, ...] = ()


BACKGROUND = f"""
SELECT {names.SUBJECTS}, {names.STATEMENTS_OF_NAMES},
  (SELECT sum(memories) FROM memory_core_corpus
   WHERE owner_id = %(owner)s AND namespace_id = ANY(%(namespaces)s::bigint[]))::bigint,
  (SELECT sum(length) FROM memory_core_corpus
   WHERE owner_id = %(owner)s AND namespace_id = ANY(%(namespaces)s::bigint[]))::bigint,
  (SELECT p.values FROM memory_core_namespace n
   JOIN memory_core_rankingprofile p ON p.id = n.ranking_profile_id
   WHERE n.id = ANY(%(namespaces)s::bigint[]) ORDER BY n.id LIMIT 1),
  e.id, e.name
FROM (SELECT) AS one
LEFT JOIN memory_core_embeddingmodel e ON e.state = '{VectorSpaceState.ACTIVE.value}'
"""


def background_of(scope: Scope) -> Background:
    """Return the owner's names and counts, and the weights of the namespaces.

    Where several namespaces are searched at once, the first one (by row id) that has
    a ranking profile ranks.
    """
    row = fetch(BACKGROUND, names.values(scope))[0]
    subjects, statements, memories, length, weights, model_id, model_name = row
    return Background(
        frozenset(subjects),
        frozenset(name for text in statements for name in names.stated(text)),
        Corpus(memories or 0, length or 0),
        RankingWeights.from_dict(weights) if weights else DEFAULT,
        model_id,
        model_name or "",
    )


def make_ready(query: str, background: Background, scope: Scope) -> Asked:
    """Return the query as searches take it.

    The owner's names are left out of what is embedded and matched. Without an
    embedder words alone must find: the hint `words_only` says so.
    """
    subjects = named(query, background.subjects)
    common = names.common_among(subjects, scope, memories=background.corpus.memories)
    mentioned = named(query, background.stated) | common
    plain = strip_names(query, mentioned)
    space, vector, hints = _vector(plain, background, scope)
    return Asked(
        terms=query_terms(plain).counts,
        unspaced=is_unspaced(plain),
        about=next(iter(mentioned)) if len(mentioned) == 1 else "",
        space=space,
        vector=vector,
        hints=hints,
    )


def _vector(
    text: str, background: Background, scope: Scope
) -> tuple[Space | None, NDArray[np.float32] | None, tuple[str, ...]]:
    if background.model_id is None:
        return None, None, ()
    try:
        space = Space(background.model_id, embedder(background.model_name))
        with stage("embedding"):
            vector = query_vector(space.embedder, text, owner=scope.owner)
        return space, vector, ()
    except EmbedderUnavailable:
        return None, None, ("words_only",)
