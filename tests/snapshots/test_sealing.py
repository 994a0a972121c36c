import io
import json
from pathlib import Path

import pytest
from django.conf import settings as live
from django.utils import timezone

from memory_core.actions import snapshots
from memory_core.contracts.callers import SYSTEM
from memory_core.keys import data
from memory_core.snapshots import keeping, sealing
from tests.snapshots.conftest import OWNER, imported, line

LINE = b'{"owner_id":"ming","content":"I am allergic to peanuts"}\n'


@pytest.fixture(autouse=True)
def _keys(settings, tmp_path):
    settings.KEYS_DIR = tmp_path / "keys"
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"


def test_a_sealed_line_tells_neither_text_nor_person():
    stored = sealing.sealed("ming", LINE)
    assert b"peanuts" not in stored
    assert b"ming" not in stored
    assert sealing.plain(stored) == LINE
    assert sealing.is_of(stored, "ming")
    assert not sealing.is_of(stored, "hong")


def test_a_plain_line_stays_what_it_is():
    assert sealing.plain(LINE) == LINE
    assert sealing.is_of(LINE, "ming") is None


def test_without_the_key_a_line_is_gone_everywhere():
    stored = sealing.sealed("ming", LINE)
    other = sealing.sealed("hong", LINE)
    data.destroy(data.of_owner("ming"))
    assert list(sealing.opened([stored, other])) == [LINE]
    assert sealing.sealed("ming", LINE) == b""


def test_a_broken_line_is_no_sealed_line():
    for broken in (b'{"key":"', b'{"key":"x","sealed":3}\n', b'{"key":"00","no":1}\n'):
        with pytest.raises(data.NotSealed):
            sealing.plain(broken)


def test_some_lines_of_a_file_are_read_as_they_were_exported():
    stored = [sealing.sealed("ming", b"line %d\n" % n) for n in range(5)]
    file = sealing.Opened(io.BytesIO(b"".join(stored)), skip=1, lines=3)
    assert file.read(10) == b"line 1\nlin"
    assert file.read(100) == b"e 2\nline 3\n"
    assert file.read(100) == b""


@pytest.fixture
def taken(db, here) -> Path:
    """Today's snapshot with a memory of each of two people."""
    imported(here, [line("I am allergic to peanuts"), line("tea", owner_id="hong")])
    return keeping.take(now=timezone.now())


def test_a_daily_snapshot_has_nobodys_words(taken):
    raw = taken.read_bytes()
    assert b"peanuts" not in raw
    assert OWNER.encode() not in raw
    assert json.loads(raw.splitlines()[0])["counts"]["memories"] == 2


def test_a_copy_of_a_snapshot_has_nothing_of_the_erased(taken, tmp_path):
    copied = tmp_path / "copy.jsonl"
    copied.write_bytes(taken.read_bytes())
    data.destroy(data.of_owner(OWNER))
    manifest, *lines = copied.read_bytes().splitlines(keepends=True)
    assert [json.loads(one)["owner_id"] for one in sealing.opened(lines)] == ["hong"]


def test_a_sealed_snapshot_can_be_imported_on_this_installation(taken, db):
    report = snapshots.take_in_file(by=SYSTEM, file=taken, dry_run=True)
    assert report.lines == 2
    assert report.checksum_mismatches == []
    assert report.quarantined == []


def test_whoever_lacks_the_key_imports_nothing_of_it(taken, db):
    data.destroy(data.of_owner(OWNER))
    report = snapshots.take_in_file(by=SYSTEM, file=taken, dry_run=True)
    assert [fault.code for fault in report.quarantined] == ["sealed"]


def test_after_an_erasure_the_file_has_a_manifest_of_what_is_left(taken):
    data.destroy(data.of_owner(OWNER))
    assert keeping.remove_owner(OWNER) == {taken.name: 1}
    assert keeping.lines_of_owner(OWNER) == 0
    manifest = json.loads(taken.read_bytes().splitlines()[0])
    assert manifest["counts"]["memories"] == 1
    assert Path(live.SNAPSHOT_DIR) == taken.parent
