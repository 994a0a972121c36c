"""An import that was cut off anywhere: nothing twice, nothing missing."""

import json

import pytest
from django.core.management import call_command

from memory_core.actions import snapshots
from memory_core.contracts.callers import SYSTEM
from memory_core.models import AuditEntry
from memory_core.snapshots import importing, resuming
from tests.snapshots.conftest import imported, line, rows

pytestmark = pytest.mark.django_db

FOREIGN = "book-{}"


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch, settings, tmp_path):
    monkeypatch.setattr(importing, "LINES_AT_ONCE", 2)
    monkeypatch.setattr(importing, "LINES_IN_PARALLEL", 2)
    settings.HOME = tmp_path


@pytest.fixture
def file(here, tmp_path):
    """Six memories under foreign ids, each linked to the one before, and a bad line."""
    lines = []
    for n in range(6):
        links = {"related": [FOREIGN.format(n - 1)]} if n else {}
        text = f"I own book {n}"
        lines.append(line(text, namespace="shop", memory_id=FOREIGN.format(n), **links))
    lines.insert(3, {"nonsense": True})
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def cut_off(monkeypatch, where, after):
    """Have a function end the process at its call number `after`."""
    owner, name = where
    real, calls = getattr(owner, name), []

    def dies(*args, **options):
        calls.append(args)
        if len(calls) == after:
            raise SystemExit
        return real(*args, **options)

    monkeypatch.setattr(owner, name, dies)


def assert_all_there(file, report):
    there = rows()
    assert sorted(m.content for m in there) == [f"I own book {n}" for n in range(6)]
    by_content = {m.content: m for m in there}
    for n in range(1, 6):
        before = by_content[f"I own book {n - 1}"].pk
        assert by_content[f"I own book {n}"].related == [before]
    [path] = (file.parent / "quarantine").glob("*.jsonl")
    assert [json.loads(one)["line"] for one in path.read_text().splitlines()] == [4]
    assert (report["lines"], report["quarantined_total"]) == (7, 1)
    assert report["added"] + report["unchanged"] == 6
    assert report["links_dropped"] == 0


WHERE = [
    ((importing, "place_lines"), 1),
    ((importing, "place_lines"), 3),
    ((importing.Import, "_count"), 4),
    ((resuming.Intake, "_note"), 2),
    ((importing.Import, "finish"), 1),
]


@pytest.mark.parametrize(("where", "after"), WHERE)
def test_a_command_that_was_killed_goes_on(file, monkeypatch, capsys, where, after):
    with monkeypatch.context() as patch:
        cut_off(patch, where, after)
        with pytest.raises(SystemExit):
            call_command("import", str(file))
    capsys.readouterr()
    call_command("import", str(file), "--resume", "--json")
    assert_all_there(file, json.loads(capsys.readouterr().out))
    assert not list((file.parent / "imports").glob("*"))


def test_what_was_stored_is_not_gone_through_again(file, monkeypatch):
    with monkeypatch.context() as patch:
        cut_off(patch, (importing, "place_lines"), 3)
        with pytest.raises(SystemExit):
            snapshots.take_in_file(by=SYSTEM, file=file)
    judged = []
    real = importing.place_lines

    def counts(lines, *args, **options):
        judged.extend(lines)
        return real(lines, *args, **options)

    monkeypatch.setattr(importing, "place_lines", counts)
    report = snapshots.take_in_file(by=SYSTEM, file=file, resume=True)
    assert len(judged) == 2
    assert (report.added, report.unchanged) == (6, 0)
    assert report.checked["sampled"] == 6


def test_a_file_sent_again_ties_the_links_of_the_first_time(file, here, monkeypatch):
    data = file.read_bytes()
    with monkeypatch.context() as patch:
        cut_off(patch, (importing, "place_lines"), 3)
        with pytest.raises(SystemExit):
            imported(here, data)
    imported(here, data)
    by_content = {m.content: m for m in rows()}
    for n in range(1, 6):
        before = by_content[f"I own book {n - 1}"].pk
        assert by_content[f"I own book {n}"].related == [before]


def test_the_same_file_later_changes_no_link(file, here):
    data = file.read_bytes()
    imported(here, data)
    before = [(m.pk, m.related, m.updated_at) for m in rows()]
    entries = AuditEntry.objects.filter(action="memory.import").count()
    assert imported(here, data).unchanged == 6
    assert [(m.pk, m.related, m.updated_at) for m in rows()] == before
    refused = AuditEntry.objects.filter(action="memory.import", outcome="refused")
    assert AuditEntry.objects.filter(action="memory.import").count() == (
        entries + refused.count()
    )


def test_without_resume_it_begins_again(file, monkeypatch):
    with monkeypatch.context() as patch:
        cut_off(patch, (importing, "place_lines"), 3)
        with pytest.raises(SystemExit):
            snapshots.take_in_file(by=SYSTEM, file=file)
    report = snapshots.take_in_file(by=SYSTEM, file=file)
    assert (report.lines, report.added, report.unchanged) == (7, 2, 4)


def test_a_trial_that_was_cut_off_is_not_gone_on_with_in_earnest(file, monkeypatch):
    with monkeypatch.context() as patch:
        cut_off(patch, (importing, "place_lines"), 3)
        with pytest.raises(SystemExit):
            snapshots.take_in_file(by=SYSTEM, file=file, dry_run=True)
    report = snapshots.take_in_file(by=SYSTEM, file=file, resume=True)
    assert (report.lines, report.added) == (7, 6)
