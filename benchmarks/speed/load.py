"""Fill a store by COPY: owners of three sizes, one of them with a fifth of all rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
from django.db import connection
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from uuid_utils.compat import uuid7

from benchmarks.speed.corpus import SeededEmbedder, Sentences
from memory_core import digests
from memory_core.contracts.enums import Status
from memory_core.lexical import Terms, terms
from memory_core.models import Category, EmbeddingModel, Namespace, Owner, Source
from memory_core.screening import rules_version

LARGE_SHARE = 0.2
MIDDLE_SHARE, MIDDLE_ROWS = 0.3, 2_500
SMALL_ROWS = 200
CHUNK = 5_000
NOW = datetime(2026, 11, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Population:
    """The owners of a store by size; each entry is (external id, rows)."""

    large: list[tuple[str, int]]
    middle: list[tuple[str, int]]
    small: list[tuple[str, int]]

    def all(self) -> list[tuple[str, int]]:
        return [*self.large, *self.middle, *self.small]


def population(rows: int, *, large: int = 0) -> Population:
    """How `rows` memories are spread over owners; `large` is the largest one's."""
    large = large or int(rows * LARGE_SHARE)
    middle_rows = min(MIDDLE_ROWS, rows // 20)
    middles = int(rows * MIDDLE_SHARE) // middle_rows
    smalls = (rows - large - middles * middle_rows) // SMALL_ROWS
    return Population(
        [("large", large)],
        [(f"middle-{n}", middle_rows) for n in range(middles)],
        [(f"small-{n}", SMALL_ROWS) for n in range(smalls)],
    )


def fill(
    rows: int, *, namespace: str, source_name: str = "bench", large: int = 0
) -> Population:
    """Load `rows` memories into `namespace` and return who owns them."""
    people = population(rows, large=large)
    space = Namespace.objects.get(name=namespace)
    source, _ = Source.objects.get_or_create(
        namespace=space, kind="user_input", key=source_name, name=source_name
    )
    EmbeddingModel.objects.filter(state="active").update(state="kept")
    model, _ = EmbeddingModel.objects.get_or_create(
        name=SeededEmbedder.name,
        defaults={"dimensions": SeededEmbedder.dimensions, "state": "active"},
    )
    category = Category.objects.get(name="fact")
    ids = {
        owner.external_id: owner.pk
        for owner in Owner.objects.bulk_create(
            [Owner(external_id=name) for name, _ in people.all()]
        )
    }
    places = _Places(space.pk, source.pk, category.pk, model.pk)
    owners = np.repeat([ids[n] for n, _ in people.all()], [c for _, c in people.all()])
    np.random.default_rng(3).shuffle(owners)
    sentences = Sentences(seed=4)
    for start in range(0, len(owners), CHUNK):
        part = owners[start : start + CHUNK]
        _copy(list(map(int, part)), sentences.take(len(part)), places)
    _count(space.pk)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return people


@dataclass(frozen=True)
class _Places:
    namespace: int
    source: int
    category: int
    model: int


def _copy(owners: list[int], texts: list[str], at: _Places) -> None:
    vectors = SeededEmbedder().embed_passages(texts)
    ids = [uuid7() for _ in texts]
    moments = [NOW - timedelta(minutes=n % 40_000) for n in range(len(texts))]
    found = [terms(text, moment) for text, moment in zip(texts, moments, strict=True)]
    connection.ensure_connection()
    register_vector(connection.connection)
    with connection.cursor() as cursor:
        _write(cursor, MEMORY, _memories(ids, owners, texts, moments, at))
        _write(cursor, USE, ((i, o, 0.6, 0) for i, o in zip(ids, owners, strict=True)))
        _write(
            cursor,
            VECTOR,
            (
                (i, at.model, o, at.namespace, at.category, 1, m, HalfVector(v))
                for i, o, m, v in zip(ids, owners, moments, vectors, strict=True)
            ),
        )
        _write(cursor, TERM, _postings(ids, owners, found, at))


MEMORY = """COPY memory_core_memory (id, namespace_id, owner_id, source_id, category_id,
 tier, status, content, content_digest, text_key, subject, entities, tags, metadata,
 importance, confidence, session_id, observed_at, external_id, derived_from, related,
 lineage_trust, decision, verdict, rules_version, embedding, version, token_prefix,
 reviewed_by, created_at, updated_at) FROM STDIN"""
USE = """COPY memory_core_memoryuse (memory_id, owner_id, base_score, access_count)
 FROM STDIN"""
VECTOR = """COPY memory_core_memoryvector (memory_id, model_id, owner_id, namespace_id,
 category_id, status, observed_at, vector) FROM STDIN"""
TERM = """COPY memory_core_memoryterm (owner_id, term, memory_id, namespace_id, status,
 tf, len) FROM STDIN"""


def _write(cursor, statement: str, rows: Iterator[tuple]) -> None:
    with cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _memories(
    ids: list[UUID],
    owners: list[int],
    texts: list[str],
    moments: list[datetime],
    at: _Places,
) -> Iterator[tuple]:
    for i, owner, text, moment in zip(ids, owners, texts, moments, strict=True):
        digest, key = digests.of_content(text), digests.of_text(text)
        yield (
            i, at.namespace, owner, at.source, at.category, "long", int(Status.ACTIVE),
            text, digest, key, "", [], [], "{}", 0.5, 1.0, "", moment, "", [], [], 3,
            "{}", "{}", rules_version(), "ready", 1, "", "", moment, moment,
        )  # fmt: skip


def _postings(
    ids: list[UUID], owners: list[int], found: list[Terms], at: _Places
) -> Iterator[tuple]:
    for memory, owner, text in zip(ids, owners, found, strict=True):
        for term, count in text.counts.items():
            yield owner, term, memory, at.namespace, 1, count, text.length


def _count(namespace: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_core_corpus (owner_id, namespace_id, memories, length)"
            " SELECT owner_id, namespace_id, count(DISTINCT memory_id),"
            " sum(len) FILTER (WHERE first)"
            " FROM (SELECT *, row_number() OVER (PARTITION BY memory_id) = 1 AS first"
            " FROM memory_core_memoryterm WHERE namespace_id = %s) AS t"
            " GROUP BY owner_id, namespace_id",
            [namespace],
        )
