import hashlib
import json

import pytest
from django.utils import timezone

from memory_core.actions import access, changes, snapshots
from memory_core.actions.recall import recall
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.recall import RecallQuery
from memory_core.models import AuditEntry, Memory, MemoryVector
from memory_core.saving import storage, vectors
from tests.factories import make_caller
from tests.snapshots.conftest import OWNER, exported, imported, records, rows

pytestmark = pytest.mark.django_db

COMPARED = [
    "content",
    "category_id",
    "tier",
    "status",
    "subject",
    "entities",
    "tags",
    "metadata",
    "importance",
    "confidence",
    "session_id",
    "position",
    "observed_at",
    "occurred_at",
    "expire_at",
    "external_id",
    "version",
    "created_at",
]


@pytest.fixture
def filled(say, here):
    """Memories of several kinds, with an update, a successor and a merge."""
    say("供应商是华为", category="fact", session_id="s1", position=4)
    say("供应商换成了中兴", category="fact")
    say("No Java, please", category="constraint", metadata={"a": {"b": [1, None]}})
    say("Please don't use Java", category="constraint", session_id="s2")
    task = say(
        "Send the report",
        category="task",
        expire_at=timezone.now() + timezone.timedelta(days=3),
        tags=("work",),
        entities=("report",),
        external_id="crm-17",
        importance=0.9,
    )
    changes.correct(
        by=here,
        scope=access.read_scope(here, OWNER),
        memory_id=task,
        changes={"content": "Send both reports"},
    )
    say("I like blue", owner_id="somebody")
    return rows()


def lines_without(data, *names):
    return [{k: v for k, v in r.items() if k not in names} for r in records(data)]


def test_the_manifest_tells_counts_and_checksums(filled, here):
    data = exported(here)
    head, body = data.split(b"\n", 1)
    manifest = json.loads(head)
    assert manifest["kind"] == "mneme.export"
    assert manifest["counts"] == {"memories": len(filled), "owners": 2}
    [part] = manifest["parts"]
    assert part["lines"] == len(filled)
    assert part["bytes"] == len(body)
    assert part["sha256"] == hashlib.sha256(body).hexdigest()


def test_a_part_can_be_fetched_again(filled, here, monkeypatch):
    monkeypatch.setattr("memory_core.snapshots.manifest.LINES_A_PART", 3)
    whole = snapshots.export(by=here)
    parts = whole.manifest["parts"]
    whole.lines.close()
    second = b"".join(snapshots.export(by=here).pieces(part=1))
    assert len(parts) > 1
    assert hashlib.sha256(second).hexdigest() == parts[1]["sha256"]
    assert len(second) == parts[1]["bytes"]
    assert b"".join(snapshots.export(by=here).pieces(part=99)) == b""


def test_a_memory_that_goes_out_and_comes_in_is_the_same(filled, here):
    data = exported(here, with_vectors=True)
    before = {m.pk: [getattr(m, name) for name in COMPARED] for m in filled}
    ties = {m.pk: (m.superseded_by_id, m.merged_into_id) for m in filled}
    _remove_everything()
    report = imported(here, data)
    after = rows()
    assert (report.added, report.faults, report.links_dropped) == (len(filled), 0, 0)
    assert {m.pk: [getattr(m, n) for n in COMPARED] for m in after} == before
    assert {m.pk: (m.superseded_by_id, m.merged_into_id) for m in after} == ties
    assert {m.embedding for m in after} == {"ready"}
    times = ("last_accessed_at", "embedding")  # a move counts as a touch
    again = exported(here, with_vectors=True)
    assert lines_without(again, *times) == lines_without(data, *times)
    assert report.checked["by_vector"] == report.checked["sampled"] > 0
    assert report.checked["by_words"] == report.checked["sampled"]


def test_versions_come_along_and_can_be_rolled_back_to(filled, here):
    data = exported(here)
    _remove_everything()
    imported(here, data)
    task = Memory.unscoped.get(external_id="crm-17")
    assert task.version == 2
    view = changes.roll_back(
        by=here, scope=access.read_scope(here, OWNER), memory_id=task.pk, version=1
    )
    assert view.content == "Send the report"


def test_the_same_file_twice_changes_nothing(filled, here):
    data = exported(here)
    first = imported(here, data)
    second = imported(here, data)
    assert first.added == second.added == 0
    assert first.unchanged == second.unchanged == len(filled)
    assert first.updated == second.updated == 0
    assert {m.pk: m.updated_at for m in rows()} == {m.pk: m.updated_at for m in filled}


def test_another_namespace_gets_memories_of_its_own_with_their_links(
    filled, here, there
):
    data = exported(here)
    report = imported(there, data, namespace="clinic")
    assert (report.added, report.links_dropped) == (len(filled), 0)
    copies = rows(namespace__name="clinic")
    assert not {m.pk for m in copies} & {m.pk for m in filled}
    old, new = (
        Memory.unscoped.get(namespace__name="clinic", content=text)
        for text in ("供应商是华为", "供应商换成了中兴")
    )
    assert old.superseded_by_id == new.pk
    assert old.until == new.observed_at
    again = imported(there, data, namespace="clinic")
    assert (again.added, again.unchanged) == (0, len(filled))


def test_an_import_can_be_recalled(filled, here, there):
    imported(there, exported(here), namespace="clinic")
    query = RecallQuery(owner_id=OWNER, query="供应商是谁")
    found = recall(by=there, query=query)
    assert found.hits[0].memory.content == "供应商换成了中兴"


def test_vectors_of_the_same_model_are_used_as_they_are(filled, here, monkeypatch):
    data = exported(here, with_vectors=True)
    kept = dict(MemoryVector.objects.values_list("memory_id", "vector"))
    _remove_everything()
    monkeypatch.setattr(vectors, "embed", lambda *a: pytest.fail("embedded anew"))
    imported(here, data)
    found = dict(MemoryVector.objects.values_list("memory_id", "vector"))
    assert found.keys() == kept.keys()
    for pk, vector in found.items():
        assert vector == pytest.approx(kept[pk], abs=2e-3)


def test_an_agent_exports_what_it_may_read(filled, here, there):
    assert json.loads(exported(there))["counts"] == {"memories": 0, "owners": 0}
    assert exported(there, namespace="shop").count(b"\n") == 1
    bound = make_caller("bound", shared={"shop": "r"}, owner_claim="somebody")
    assert {r["owner_id"] for r in records(exported(bound))} == {"somebody"}
    assert len(records(exported(here, owner_id="somebody"))) == 1
    assert len(records(exported(SYSTEM))) == len(filled)
    entry = AuditEntry.objects.filter(action="memory.export").first()
    assert entry.details["memories"] == 0


def _remove_everything():
    storage.remove([m.pk for m in rows()])
