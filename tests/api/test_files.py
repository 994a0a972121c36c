"""Export and import over HTTP."""

import hashlib
import json

import pytest

from memory_core import jobs
from memory_core.models import Memory
from memory_core.tasks import snapshots as _registers  # noqa: F401
from tests.api.client import new_agent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

LINES = {"Content-Type": "application/x-ndjson"}
OWNER = "user-42"


def line(content, **fields):
    return json.dumps(
        {
            "schema_version": 1,
            "owner_id": OWNER,
            "type": "preference",
            "content": content,
            "source": {"kind": "user_input", "name": "chat"},
            "timestamp": "2026-01-05T10:00:00Z",
            **fields,
        }
    ).encode()


def test_what_is_imported_is_exported():
    agent = new_agent()
    body = b"\n".join([line("我喜欢蓝色"), b"{", line("I like tea", colour="x")])
    answer = agent.call("POST", "/v1/memory/import", body, **LINES)
    assert answer.status_code == 200
    report = answer.json()
    assert (report["lines"], report["added"]) == (3, 1)
    assert [f["code"] for f in report["quarantined"]] == ["not_json", "unknown_field"]
    sent = agent.get("/v1/memory/export", owner_id=OWNER)
    assert sent["Content-Type"] == "application/x-ndjson"
    manifest, memory = sent.getvalue().splitlines()
    assert json.loads(manifest)["counts"]["memories"] == 1
    assert json.loads(memory)["content"] == "我喜欢蓝色"
    escaped = agent.get("/v1/memory/export", ascii="true").getvalue()
    assert escaped.isascii()
    part = agent.get("/v1/memory/export", part="0").getvalue()
    assert part == memory + b"\n"


def test_a_dry_run_stores_nothing():
    agent = new_agent()
    answer = agent.call("POST", "/v1/memory/import?dry_run=true", line("tea"), **LINES)
    assert answer.json()["changes"][0]["event"] == "added"
    assert Memory.unscoped.count() == 0


@pytest.mark.parametrize(
    ("query", "headers", "status", "code"),
    [
        ("?age=young", LINES, 422, "invalid"),
        ("?dryrun=true", LINES, 422, "unknown_field"),
        ("", {"Content-Type": "application/json"}, 415, "unsupported_media_type"),
        ("", {**LINES, "Content-Encoding": "gzip"}, 415, "unsupported_media_type"),
    ],
)
def test_a_request_that_is_not_meant_is_refused(query, headers, status, code):
    answer = new_agent().call("POST", f"/v1/memory/import{query}", b"{}", **headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_scopes_are_needed():
    agent = new_agent(scopes=("recall", "save"))
    assert agent.call("POST", "/v1/memory/import", b"", **LINES).status_code == 403
    assert agent.get("/v1/memory/export").status_code == 403


def test_an_empty_file_is_no_fault():
    answer = new_agent().call("POST", "/v1/memory/import", b"\n", **LINES)
    assert answer.json()["lines"] == 0


def test_a_snapshot_is_ordered_written_and_fetched_in_parts(settings, tmp_path):
    settings.SNAPSHOT_DIR = tmp_path
    agent = new_agent()
    agent.call("POST", "/v1/memory/import", line("我喜欢蓝色"), **LINES)
    key = {"Idempotency-Key": "k1"}
    ordered = agent.call("POST", "/v1/snapshots", {"owner_id": OWNER}, **key)
    assert ordered.status_code == 202
    again = agent.call("POST", "/v1/snapshots", {"owner_id": OWNER}, **key)
    assert again.json()["snapshot_id"] == ordered.json()["snapshot_id"]
    path = f"/v1/snapshots/{ordered.json()['snapshot_id']}"
    assert agent.get(f"{path}/content").status_code == 404
    while jobs.work(seconds=5):
        pass
    done = agent.get(path).json()
    assert (done["state"], done["counts"]["memories"]) == ("done", 1)
    [listed] = agent.get("/v1/snapshots").json()["snapshots"]
    assert listed == done
    whole = agent.get(f"{path}/content").getvalue()
    part = agent.get(f"{path}/content", part="0").getvalue()
    assert whole.endswith(part)
    assert hashlib.sha256(part).hexdigest() == done["parts"][0]["sha256"]
    assert agent.get(f"{path}/content", part="9").getvalue() == b""
    assert new_agent().get(path).status_code == 404
