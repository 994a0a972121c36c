"""Lists stay quick when they are long: keyset pages by index, few queries."""

import json
from collections.abc import Callable, Sequence
from uuid import UUID

import pytest
from django.db import connection
from django.db.models import Min, QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory_core.contracts.enums import Status
from memory_core.models import Memory
from moderation.presenters import memories, queue, sources
from moderation.waiting import in_view
from tests.factories.crowds import multiply

pytestmark = pytest.mark.django_db
ROWS = 20_000
QUERIES = {
    "/queue/": 13,
    "/memories/": 11,
    "/sources/": 11,
    "/audit/": 10,
    "/categories/": 11,
    "/categories/preference/": 22,
    "/consolidation/": 13,
    "/health/": 26,
    "/jobs/": 9,
    "/models/": 14,
    "/samples/": 9,
}
TABLE = Memory._meta.db_table


def scans(rows: QuerySet[Memory]) -> set[str]:
    """Return how the plan of a page reaches the table of memories."""
    plan = json.loads(rows[: queue.PAGE + 1].explain(format="json"))[0]["Plan"]
    nodes = walk(plan)
    return {one["Node Type"] for one in nodes if one.get("Relation Name") == TABLE}


@pytest.mark.parametrize("after", [None, UUID("01900000-0000-7000-8000-000000000000")])
def test_the_queue_reads_its_index_however_much_waits(held, person, after):
    multiply(held(), ROWS)
    rows = in_view("held", user_id=person().pk, now=timezone.now()).order_by("pk")
    if after:
        rows = rows.filter(pk__gt=after)
    assert scans(rows) <= {"Index Scan", "Index Only Scan"}


def test_what_waits_is_found_even_if_it_is_all_new(held, person):
    memory = held()
    Memory.unscoped.filter(pk=memory.pk).update(status=Status.ACTIVE)
    multiply(memory, ROWS)
    Memory.unscoped.filter(pk=memory.pk).update(status=Status.PENDING)
    multiply(memory, ROWS // 10)
    rows = in_view("held", user_id=person().pk, now=timezone.now()).order_by("pk")
    assert "memory_pending" in rows[: queue.PAGE + 1].explain()


def test_what_was_reported_is_found_without_reading_the_rest(held):
    memory = held()
    Memory.unscoped.filter(pk=memory.pk).update(status=Status.ACTIVE)
    multiply(memory, ROWS)
    rows = Memory.unscoped.reported().order_by("pk")
    assert scans(rows) <= {"Index Scan", "Bitmap Heap Scan"}


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"status": Status.PENDING},
        {"status": Status.REJECTED},
        {"owner": "lin"},
        {"kind": "tool_result"},
        {"namespace": "support"},
        {"category": "skill"},
    ],
)
def test_the_browser_reads_an_index_however_much_there_is(held, filters):
    multiply(held(), ROWS)
    found = scans(memories._narrowed(filters).order_by("-pk"))
    assert "Seq Scan" not in found


def index_only(statement: str, values: Sequence[object] = ()) -> set[str]:
    """Return the indexes of memories that a statement reads without the table."""
    with connection.cursor() as cursor:
        # as after a vacuum, which cannot be had in a test's transaction
        cursor.execute(
            "UPDATE pg_class SET relallvisible = relpages WHERE relname = %s", [TABLE]
        )
        cursor.execute(f"EXPLAIN (FORMAT json) {statement}", values)
        [[[plan]]] = cursor.fetchall()
    nodes = [node for node in walk(plan["Plan"]) if node.get("Relation Name") == TABLE]
    assert {node["Node Type"] for node in nodes} == {"Index Only Scan"}, nodes
    return {node["Index Name"] for node in nodes}


def walk(node):
    yield node
    for below in node.get("Plans", []):
        yield from walk(below)


def statement_of(count: Callable[[], object], table: str = TABLE) -> str:
    """Return the one statement that something sends about memories."""
    with CaptureQueriesContext(connection) as sent:
        count()
    [found] = [one["sql"] for one in sent if table in one["sql"]]
    return found


def test_the_first_pages_count_in_indexes_alone(held):
    memory = held()
    multiply(memory, ROWS // 2)
    memory.source.kind = "inference"
    memory.source.save(update_fields=["kind"])
    Memory.unscoped.filter(pk=memory.pk).update(status=Status.ACTIVE)
    multiply(memory, ROWS)
    pending, unreviewed = Memory.unscoped.pending(), Memory.unscoped.unreviewed()
    by_source = statement_of(lambda: sources._counts([memory.source_id]))
    assert index_only(by_source) == {"memory_by_source"}
    assert index_only(statement_of(unreviewed.count)) == {"memory_by_source"}
    assert index_only(statement_of(pending.count))
    assert index_only(statement_of(Memory.unscoped.active().count))


def test_what_was_made_of_others_is_found_without_reading_all_the_rest(held):
    memory = held()
    multiply(memory, ROWS)
    [child, other] = Memory.unscoped.exclude(pk=memory.pk)[:2]
    Memory.unscoped.filter(pk=child.pk).update(derived_from=[memory.pk])
    found = Memory.unscoped.made_of(Memory.unscoped.filter(pk=memory.pk))
    assert list(found) == [child]
    assert not Memory.unscoped.made_of(Memory.unscoped.filter(pk=other.pk)).exists()
    assert "memory_derived" in found.explain()
    assert "Seq Scan on memory_core_memory" not in found.explain()


def test_what_says_the_same_is_counted_in_an_index_alone(held):
    memory = held()
    multiply(memory, ROWS)
    other = Memory.unscoped.exclude(pk=memory.pk)[0]
    other.text_key = bytes(32)
    other.save(update_fields=["text_key"])
    alike = statement_of(lambda: queue._alike([other]))
    assert index_only(alike) == {"memory_pending_alike"}
    assert queue._alike([memory]) == {bytes(memory.text_key): ROWS}


def test_the_oldest_that_waits_is_the_first_of_an_index(held):
    multiply(held(), ROWS)
    oldest = statement_of(
        lambda: Memory.unscoped.pending().aggregate(Min("created_at"))
    )
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {oldest}")
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "memory_pending_since" in plan and "Limit" in plan


@pytest.mark.parametrize("path", QUERIES)
def test_a_list_asks_as_often_for_many_rows_as_for_one(signed_in, held, path):
    memory, client = held(), signed_in("admin")
    assert client.get(path).status_code == 200
    with CaptureQueriesContext(
        connection,
    ) as few:
        client.get(path)
    multiply(memory, 40)
    with CaptureQueriesContext(connection) as many:
        client.get(path)
    assert len(few) == len(many) == QUERIES[path], [q["sql"][:90] for q in many]
