"""A source is blocked while it writes: nothing of it commits after the block."""

import json
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any

import pytest
from django.db import connection

from memory_core.actions import sources
from memory_core.models import AuditEntry, Memory, Source
from memory_core.saving import lookups, vectors
from tests.api.client import HttpAgent, new_agent
from tests.factories.world import BY

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = 100
LINES = {"Content-Type": "application/x-ndjson"}
CRM = {"kind": "tool_result", "name": "crm"}


@pytest.fixture
def agent() -> HttpAgent:
    lookups.forget()
    vectors.forget()
    vectors.ensure_model()
    return new_agent(namespace="shop", shared={"shop": "rw"})


def contents(rows: int) -> list[str]:
    return [f"Order {number} was delivered to the warehouse" for number in range(rows)]


def as_import(agent: HttpAgent, rows: int) -> int:
    """Send all rows as one file; return how many went in."""
    line = {
        "schema_version": 1,
        "owner_id": "lin",
        "type": "event",
        "source": CRM,
        "timestamp": "2026-01-05T10:00:00Z",
    }
    lines = [json.dumps({**line, "content": text}) for text in contents(rows)]
    body = "\n".join(lines).encode()
    report = agent.call("POST", "/v1/memory/import", body, **LINES).json()
    assert report["lines"] == rows
    assert {one["code"] for one in report["quarantined"]} == {"source_blocked"}
    return report["added"]


def as_batches(agent: HttpAgent, rows: int) -> int:
    """Send all rows in batches; return how many went in."""
    added = 0
    texts = contents(rows)
    for start in range(0, rows, PAGE):
        items = [
            {"owner_id": "lin", "content": text, "category": "event", "source": CRM}
            for text in texts[start : start + PAGE]
        ]
        results = agent.post("save/batch", items=items).json()["results"]
        codes = {one["code"] for one in results if "code" in one}
        assert codes <= {"source_blocked"}
        added += sum(one.get("event") == "added" for one in results)
    return added


def block_in_the_middle() -> int:
    """Block the source once some rows are in; return how many there are then."""
    end = monotonic() + 600
    while Memory.unscoped.count() < PAGE and monotonic() < end:
        sleep(0.01)
    sources.block(source=Source.objects.get(key="crm"), by=BY, reason="poisoned")
    return Memory.unscoped.count()


@pytest.mark.parametrize(
    ("send", "rows"),
    [
        (as_import, 3_000),
        (as_batches, 600),
        pytest.param(as_import, 5_000, marks=pytest.mark.long),
        pytest.param(as_batches, 5_000, marks=pytest.mark.long),
    ],
)
def test_no_row_of_a_large_batch_commits_after_the_block(
    agent: HttpAgent, send: Any, rows: int
):
    def run() -> int:
        try:
            return send(agent, rows)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(run)
        then = block_in_the_middle()
        added = sending.result()
    assert 0 < then < rows
    assert Memory.unscoped.count() == then == added
    assert Source.objects.get(key="crm").refused_writes == rows - then
    refused = AuditEntry.objects.filter(outcome="refused")
    assert sum(map(_lines_of, refused)) == rows - then


def _lines_of(entry: AuditEntry) -> int:
    """An import has one entry for the lines of a source, a save one of its own."""
    if entry.action == "memory.import":
        return entry.details["codes"]["source_blocked"]
    return int(entry.action == "memory.save")
