import json
import threading
from datetime import UTC, datetime

import pytest

from memory_core import ledger
from memory_core.keys import tombstones
from memory_core.ledger import Event, Head, LedgerBroken

NOW = datetime(2026, 11, 30, tzinfo=UTC)
MING = tombstones.Digest("t1", b"m" * 32)
ADDRESS = tombstones.Digest("t1", b"a" * 32, "email")
HONG = tombstones.Digest("t2", b"h" * 32)


@pytest.fixture(autouse=True)
def path(settings, tmp_path):
    settings.LEDGER_DIR = tmp_path / "ledger"
    return settings.LEDGER_DIR / "erasures.jsonl"


def note(*digests, event=Event.ERASE, request="c-1"):
    return ledger.append(event, digests, request=request, now=NOW)


def test_an_empty_ledger_has_a_head_too():
    assert ledger.head() == Head()
    assert ledger.standing() == []


def test_lines_are_bound_to_one_another():
    head = note(MING, ADDRESS)
    first, second = ledger.entries()
    assert (first.position, second.position) == (1, 2)
    assert (second.previous, head) == (first.hash, Head(2, second.hash))
    assert ledger.head() == head
    assert (second.kind, second.digest) == ("email", ADDRESS.digest.hex())


def test_the_file_has_no_names_and_is_its_owners_only(path):
    note(tombstones.current("email", "ming@example.com"), request="c-7")
    assert b"ming" not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0


def test_what_was_lifted_or_void_does_not_stand():
    note(MING, HONG, ADDRESS)
    note(MING, event=Event.LIFT)
    note(HONG, event=Event.VOID)
    assert [one.digest for one in ledger.standing()] == [ADDRESS.digest.hex()]
    note(MING, request="c-2")
    assert [one.request for one in ledger.standing()] == ["c-1", "c-2"]


@pytest.mark.parametrize("name", ["digest", "at", "request", "hash", "previous"])
def test_a_changed_line_is_named(path, name):
    note(MING, HONG, ADDRESS)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[1][name] = "0" * 64
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(LedgerBroken) as broken:
        ledger.head()
    assert broken.value.position == 2


def test_a_removed_line_is_named(path):
    note(MING, HONG, ADDRESS)
    first, _, third = path.read_text().splitlines(keepends=True)
    path.write_text(first + third)
    with pytest.raises(LedgerBroken) as broken:
        ledger.standing()
    assert broken.value.position == 2


def test_nothing_is_added_behind_a_line_that_does_not_hold(path):
    note(MING)
    path.write_text(path.read_text().replace("c-1", "c-9"))
    with pytest.raises(LedgerBroken):
        note(HONG)


def test_a_line_that_a_crash_cut_does_not_count_and_is_replaced(path):
    note(MING)
    with path.open("a") as file:
        file.write('{"position": 2, "ev')
    assert ledger.head().position == 1
    assert note(HONG).position == 2
    assert [one.kid for one in ledger.standing()] == ["t1", "t2"]


def test_writers_at_the_same_time_make_one_chain():
    def write(number):
        for each in range(5):
            digest = tombstones.Digest("t1", bytes([number, each]) * 16)
            note(digest)

    threads = [threading.Thread(target=write, args=(one,)) for one in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert ledger.head().position == 20
