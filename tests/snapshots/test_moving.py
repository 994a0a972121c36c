"""Files that people upload: described, looked at, tried, imported in turns."""

import json
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from memory_core import jobs
from memory_core.actions import moving
from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import (
    Holds,
    Identifier,
    IdentifierKind,
    Subject,
)
from memory_core.erasure.stores.uploads import Uploads
from memory_core.exceptions import InvalidInput, TransitionRefused
from memory_core.models import Job, Memory
from memory_core.snapshots import importing, keeping, uploads
from memory_core.snapshots.foreign import Said
from memory_core.tasks import snapshots as _tasks  # noqa: F401 - registers the engine
from tests.snapshots.conftest import line, rows

pytestmark = pytest.mark.django_db

BY = Actor("operator:lin")
MOMENT = datetime(2026, 3, 1, tzinfo=UTC)
MEM0 = [
    {
        "id": f"m{n}",
        "memory": f"Owns book {n}",
        "user_id": "amara",
        "created_at": "2026-02-01T10:00:00Z",
        "metadata": {"shelf": n},
        "categories": ["reading"],
    }
    for n in range(5)
]


@pytest.fixture(autouse=True)
def _home(settings, tmp_path, here):
    settings.HOME = tmp_path


def uploaded(data, name="dump.json"):
    if not isinstance(data, bytes):
        data = json.dumps(data, ensure_ascii=False).encode()
    return moving.upload(name=name, pieces=[data], by=BY, now=timezone.now())


def described(data, system="mem0", namespace="shop", name="dump.json", **said):
    job = uploaded(data, name)
    what = Said(system=system, moment=MOMENT, **said)
    return moving.describe(job=job, said=what, namespace=namespace, by=BY)


def run(job, *, dry_run):
    moving.begin(job=job, dry_run=dry_run, by=BY)
    while jobs.work(seconds=60):
        pass
    job.refresh_from_db()
    return job


def test_a_dump_is_shown_tried_and_imported(tmp_path):
    job = described({"results": [*MEM0, {"id": "bad"}]})
    shown = uploads.first_lines(job, size=3)
    assert [one.memory["content"] for one in shown] == [
        f"Owns book {n}" for n in range(3)
    ]
    assert shown[0].memory["metadata"] == {"metadata": {"shelf": 0}}

    job = run(job, dry_run=True)
    assert (job.state, uploads.phase_of(job)) == ("paused", uploads.LOOKED)
    report = uploads.report_of(job)
    assert (report.added, report.faults, len(report.changes)) == (5, 1, 5)
    assert report.quarantined[0].line == 6
    assert not rows()
    assert uploads.records_of(job, {2})[2]["content"] == "Owns book 1"

    job = run(job, dry_run=False)
    assert (job.state, uploads.phase_of(job)) == ("done", uploads.OVER)
    assert job.counts["added"] == 5
    memory = rows()[0]
    assert (memory.external_id, memory.tags) == ("mem0:m0", ["reading"])
    assert memory.observed_at == datetime(2026, 2, 1, 10, tzinfo=UTC)
    [fault] = uploads.quarantine_of(job.pk).read_text().splitlines()
    assert json.loads(fault)["line"] == 6
    assert '"bad"' in json.loads(fault)["raw"]
    left = [path.name for path in uploads.folder_of(job.pk).iterdir()]
    assert left == ["report.json"]


def test_the_same_dump_again_changes_nothing():
    run(described(MEM0), dry_run=False)
    again = run(described(MEM0), dry_run=True)
    report = uploads.report_of(again)
    assert (report.added, report.unchanged) == (0, 5)


def test_an_own_file_goes_where_it_says():
    lines = [line("I like tea", namespace="shop"), line("I like rain", namespace="no")]
    data = b"".join(json.dumps(one).encode() + b"\n" for one in lines)
    job = described(data, system="mneme", namespace="", name="export.jsonl")
    assert [one.line for one in uploads.first_lines(job, size=5)] == [1, 2]
    job = run(job, dry_run=False)
    assert (job.counts["added"], job.counts["quarantined"]) == (1, 1)


def test_a_table_needs_a_mapping_and_a_zone():
    table = b"note,who,at\nlikes tea,amara,2026-02-01 10:00\n"
    mapping = {
        "fields": {"content": "note", "owner_id": "who", "timestamp": "at"},
        "defaults": {"type": "preference"},
    }
    with pytest.raises(InvalidInput) as refused:
        described(table, system="csv", name="t.csv")
    assert refused.value.extra["field"] == "mapping"
    job = described(table, system="csv", name="t.csv", mapping=mapping)
    assert uploads.first_lines(job, size=1)[0].fault == "time_without_offset"
    job = described(table, system="csv", name="t.csv", mapping=mapping, zone="+08:00")
    assert run(job, dry_run=False).counts["added"] == 1
    assert rows()[0].observed_at == datetime(2026, 2, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"zone": "Mars/North"}, "zone"),
        ({"encoding": "klingon"}, "encoding"),
        ({"system": "notes"}, "system"),
        ({"mapping": {"fields": {}}}, "mapping"),
        ({"namespace": "nowhere"}, "namespace"),
        ({"namespace": ""}, "namespace"),
    ],
)
def test_what_does_not_fit_names_its_field(said, field):
    with pytest.raises(InvalidInput) as refused:
        described(MEM0, **said)
    assert refused.value.extra["field"] == field


def test_a_file_in_another_encoding_waits_for_its_name():
    table = "note\n喜欢茶\n".encode("gb18030")
    mapping = {"fields": {"content": "note"}, "defaults": {"owner_id": "amara"}}
    job = described(table, system="csv", name="t.csv", mapping=mapping)
    job = run(job, dry_run=True)
    assert (job.state, uploads.phase_of(job)) == ("paused", uploads.UPLOADED)
    assert "utf-8" in job.error
    said = Said(system="csv", moment=MOMENT, encoding="gb18030", mapping=mapping)
    moving.describe(job=job, said=said, namespace="shop", by=BY)
    assert run(job, dry_run=False).counts["added"] == 1
    assert rows()[0].content == "喜欢茶"


def test_nothing_runs_before_it_was_described():
    job = uploaded(MEM0)
    with pytest.raises(TransitionRefused):
        moving.begin(job=job, dry_run=True, by=BY)


def test_an_import_that_runs_cannot_be_described_anew():
    job = described(MEM0)
    moving.begin(job=job, dry_run=True, by=BY)
    with pytest.raises(TransitionRefused):
        moving.begin(job=job, dry_run=False, by=BY)


def test_it_goes_on_turn_by_turn_and_after_a_death(monkeypatch):
    monkeypatch.setattr(importing, "LINES_AT_ONCE", 1)
    monkeypatch.setattr("memory_core.jobs.TURN_SECONDS", 0.0)
    job = described(MEM0)
    moving.begin(job=job, dry_run=False, by=BY)
    assert jobs.work(seconds=0)  # the first memory
    real = importing.Import._count

    def dies(*args):
        raise SystemExit

    monkeypatch.setattr(importing.Import, "_count", dies)
    with pytest.raises(SystemExit):
        jobs.work(seconds=0)
    monkeypatch.setattr(importing.Import, "_count", real)
    Job.objects.filter(pk=job.pk).update(heartbeat_at=MOMENT)  # nobody has heard of it
    while jobs.work(seconds=60):
        pass
    job.refresh_from_db()
    assert job.state == "done"
    assert sorted(m.content for m in rows()) == [f"Owns book {n}" for n in range(5)]
    assert job.counts["added"] + job.counts["unchanged"] == 5


def test_what_is_given_up_is_deleted():
    job = described(MEM0)
    moving.give_up(job=job, by=BY, now=timezone.now())
    assert not list(uploads.folder_of(job.pk).glob("*"))
    with pytest.raises(TransitionRefused):
        moving.begin(job=job, dry_run=False, by=BY)


def test_uploads_of_long_ago_go(settings):
    job = described(MEM0)
    done = run(described([*MEM0[:1], {"id": "bad"}]), dry_run=False)
    assert uploads.quarantine_of(done.pk).exists()
    uploads.prune(now=timezone.now() + uploads.KEPT + uploads.KEPT)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert not uploads.folder_of(job.pk).exists()
    assert not uploads.quarantine_of(done.pk).exists()
    assert Memory.unscoped.count() == 1


def test_an_upload_that_names_an_erased_person_goes_whole():
    store = Uploads()
    theirs, others = described(MEM0), described([MEM0[0] | {"user_id": "lin"}])
    escaped = described([MEM0[0] | {"user_id": "小明"}])
    amara = Subject(owner_ids=("amara",))
    assert store.count(amara, Holds()).erase == 1
    assert store.erase(amara, Holds()).erased == 1
    assert store.residue(amara, Holds()) == 0
    theirs.refresh_from_db()
    assert theirs.state == "cancelled"
    assert uploads.source_of(others.pk).exists()
    data = json.dumps([MEM0[0] | {"user_id": "小明"}]).encode()
    uploads.source_of(escaped.pk).write_bytes(data)
    assert store.erase(Subject(owner_ids=("小明",)), Holds()).erased == 1


@pytest.mark.parametrize("encoding", ["gb18030", "big5", "utf-16"])
def test_a_person_is_found_in_an_upload_that_nobody_has_described(encoding):
    job = described([MEM0[0]])
    text = "note\n小明喜歡茶\n"
    uploads.source_of(job.pk).write_bytes(text.encode(encoding))
    named = Subject((), (Identifier(IdentifierKind.NAME, "小明"),))
    assert Uploads().erase(named, Holds()).erased == 1


def test_bad_lines_of_another_system_s_file_go_with_their_owner():
    bad = [{"id": "bad", "user_id": one, "memory": ""} for one in ("amara", "zoe")]
    done = run(described([*MEM0[:1], *bad]), dry_run=False)
    lines = uploads.quarantine_of(done.pk).read_text().splitlines()
    assert [("amara" in line, "zoe" in line) for line in lines] == [
        (True, False),
        (False, True),
    ]
    assert keeping.lines_of_owner("amara") == 1
    keeping.remove_owner("amara")
    assert "amara" not in uploads.quarantine_of(done.pk).read_text()
    assert keeping.lines_of_owner("zoe") == 1
