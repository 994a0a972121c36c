"""Lines that an import could not read stop no erasure and keep nobody's words."""

import json
from pathlib import Path

import pytest
from django.conf import settings

from memory_core.contracts.erasure import RunState
from tests.api.client import new_agent
from tests.erasure.conftest import NAME, PERSON, begin, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("person")]

LINES = {"Content-Type": "application/x-ndjson"}
DEEP = "[" * 5_000
NEARLY_TOO_DEEP = "[" * 900 + "]" * 900


def put_aside(*lines: str) -> None:
    agent = new_agent(scopes=("import",))
    body = "\n".join(lines).encode()
    report = agent.call("POST", "/v1/memory/import", body, **LINES).json()
    assert len(report["quarantined"]) == len(lines), report


def left() -> list[str]:
    paths = (Path(settings.HOME) / "quarantine").glob("*.jsonl")
    rows = [row for path in paths for row in path.read_text().splitlines()]
    return [json.loads(row)["raw"] for row in rows]


@pytest.mark.parametrize("line", [DEEP, NEARLY_TOO_DEEP, '{"a":' * 5_000, "9" * 5_000])
def test_a_line_that_no_parser_reads_stops_no_erasure(line):
    put_aside(line)
    assert work(begin()).state == RunState.LIVE_ERASED
    assert left() == [line]


@pytest.mark.parametrize(
    "said",
    [
        f'"owner_id": "{PERSON}"',
        f'"content": "I met {NAME}"',
        '"content": "I met \\u005ahang Weilong"',
        f'"content": "I met\\n{NAME}"',
    ],
)
def test_what_names_the_person_goes_though_it_cannot_be_read(said):
    named = DEEP + said
    twice = f'{{{said}, "content": "x", "content": "y", "owner_id": "nobody"}}'
    put_aside(named, twice, DEEP)
    assert work(begin()).state == RunState.LIVE_ERASED
    assert left() == [DEEP]
