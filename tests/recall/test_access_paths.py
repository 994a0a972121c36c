"""What the layout promises: searches read covering indexes only, row security on."""

import json
import time

import numpy as np
import pytest
from django.db import connection

from memory_core import isolation
from memory_core.actions import access
from memory_core.models import Memory, MemoryVector
from memory_core.prepared import fetch
from memory_core.recall import indexes, names, nearest, question, words
from memory_core.recall.nearest import nearest_within
from memory_core.recall.reach import Reach
from tests.factories.crowds import make_crowd

ROWS = 600


@pytest.fixture
def crowd(committed_world):
    """Two owners with some hundred memories each, vacuumed.

    Rows of a commit that is not on disk yet cannot be marked as visible to all.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    for owner in ("ming", "hong"):
        first = committed_world.tell(f"{owner} likes tea", owner=owner, subject=owner)
        make_crowd(Memory.unscoped.get(pk=first), ROWS)
    for table in ("memory", "memoryvector", "memoryterm"):
        vacuum(f"memory_core_{table}")
    return committed_world


def vacuum(table):
    """Vacuum until no page is left that a transaction elsewhere still held back."""
    with connection.cursor() as cursor:
        for _ in range(100):
            cursor.execute(f"VACUUM ANALYZE {table}")
            cursor.execute(
                "SELECT relallvisible = relpages FROM pg_class WHERE relname = %s",
                [table],
            )
            if cursor.fetchone()[0]:
                return
            time.sleep(0.1)
    raise AssertionError(f"{table} is not visible to all")


@pytest.fixture
def plans(monkeypatch):
    """Collects the plan of every statement that the searches run."""
    found = []

    def explained(statement, values, **options):
        rows = fetch(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", values, **options)
        plan = rows[0][0]
        found.append(plan if isinstance(plan, list) else json.loads(plan))
        return fetch(statement, values, **options)

    for module in (nearest, words, question):
        monkeypatch.setattr(module, "fetch", explained)
    return found


def scans(plan):
    """Yield every node of a plan that reads a table.

    But for the one row of the owner, by which row-level security knows who is shut.
    """
    if isinstance(plan, list):
        for part in plan:
            yield from scans(part)
    elif "Plan" in plan:
        yield from scans(plan["Plan"])
    else:
        if plan.get("Relation Name", "memory_core_owner") != "memory_core_owner":
            yield plan
        yield from scans(plan.get("Plans", []))


def a_vector(world):
    row = MemoryVector.objects.filter(owner__external_id="ming").first()
    return np.array(row.vector, dtype=np.float32), row.model_id


def search_by_words(scope, terms):
    """The best five by words, as a recall looks for them."""
    reach, corpus = Reach(scope), words.Corpus(ROWS, 5 * ROWS)
    counts = words.fetch(*words.frequency_statement(reach, terms))
    frequency = words.estimated(counts, corpus)
    return words.bm25(reach, terms, frequency, corpus, limit=5)


def test_the_exact_search_of_an_owner_never_touches_the_table(crowd, plans):
    vector, model = a_vector(crowd)
    scope = access.read_scope(crowd.by, "ming")
    with isolation.searching_for(crowd.by, scope):
        found = nearest_within(Reach(scope), vector, model, limit=10)
    assert found[0][1] == pytest.approx(1.0, abs=1e-3)
    [node] = scans(plans[0])
    assert node["Node Type"] == "Index Only Scan"
    assert node["Index Name"] == "memoryvector_of_owner"
    assert node["Heap Fetches"] == 0
    assert node["Actual Rows"] == ROWS + 1


def test_the_word_search_never_touches_the_table(crowd, plans):
    scope = access.read_scope(crowd.by, "ming")
    with isolation.searching_for(crowd.by, scope):
        found = search_by_words(scope, {"word7": 1, "tea": 1})
    assert len(found) == 5
    nodes = [node for plan in plans for node in scans(plan)]
    postings = [n for n in nodes if n["Relation Name"] == "memory_core_memoryterm"]
    assert len(postings) == 2
    for node in postings:
        assert node["Node Type"] == "Index Only Scan"
        assert node["Index Name"] == "memory_core_memoryterm_pkey"
        assert node["Heap Fetches"] == 0


def test_the_subjects_of_an_owner_are_found_in_steps_of_one_index(crowd, plans):
    scope = access.read_scope(crowd.by, "ming")
    with isolation.searching_for(crowd.by, scope):
        background = question.background_of(scope)
    assert background.subjects == {"ming"}
    by_subject = [
        node
        for node in scans(plans[0])
        if node.get("Index Name") == "memory_by_subject"
    ]
    assert len(by_subject) == 2
    assert max(node["Actual Rows"] for node in by_subject) <= 1


def test_row_security_hides_what_the_conditions_would_let_through(crowd):
    mine = access.read_scope(crowd.by, "ming")
    theirs = access.read_scope(crowd.by, "hong")
    vector, model = a_vector(crowd)
    with isolation.transaction_for(crowd.by, mine):
        assert nearest_within(Reach(theirs), vector, model, limit=5) == []
        assert search_by_words(theirs, {"word7": 1}) == {}
        assert names.common_among(["hong"], theirs, memories=10) == frozenset()


def test_an_owner_past_the_threshold_gets_an_index_and_the_same_answers(crowd):
    vector, model = a_vector(crowd)
    scope = access.read_scope(crowd.by, "ming")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory_core_corpus SET memories = %s WHERE owner_id = %s",
            [ROWS + 1, scope.owner],
        )

    def search():
        with isolation.searching_for(crowd.by, scope):
            return nearest_within(Reach(scope), vector, model, limit=10)

    exact = search()
    name = indexes.name_of(scope.owner, model)
    assert indexes.keep_in_step(threshold=ROWS)["made"] == [name]
    assert indexes.exists(scope.owner, model)
    assert _uses_index(crowd, scope, vector, model, name)
    assert len({m for m, _ in search()} & {m for m, _ in exact}) >= 9
    assert indexes.keep_in_step(threshold=ROWS) == {"made": [], "dropped": []}
    assert indexes.keep_in_step(threshold=10 * ROWS)["dropped"] == [name]
    assert not indexes.exists(scope.owner, model)


def _uses_index(world, scope, vector, model, name):
    seen = []

    def explained(statement, values, **options):
        if "ORDER BY" in statement:
            plan = fetch(f"EXPLAIN {statement}", values, **options)
            seen.extend(row[0] for row in plan)
        return fetch(statement, values, **options)

    original, nearest.fetch = nearest.fetch, explained
    try:
        with isolation.searching_for(world.by, scope):
            nearest_within(Reach(scope), vector, model, limit=10)
    finally:
        nearest.fetch = original
    return any(name in line for line in seen)
