"""What is the file's own: processes, crashes, people who edit it."""

from __future__ import annotations

import json
import multiprocessing
import stat
from datetime import datetime, timezone
from pathlib import Path

import pytest

from mneme import MemoryItem
from mneme.stores.file import FileStore

MAY = datetime(2026, 5, 2, tzinfo=timezone.utc)
spawn = multiprocessing.get_context("spawn")


def note(text: str, **changes: object) -> MemoryItem:
    return MemoryItem(owner_id="u", content=text, timestamp=MAY, **changes)


def write_notes(path: str, name: str, count: int) -> None:
    with FileStore(Path(path)) as store:
        for number in range(count):
            saved = store.save(
                note(f"note {name} {number}", external_id=name + str(number))
            )
            if number % 10 == 9:
                store.forget(saved.memory_id or "", owner_id="u")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memories.jsonl"


def test_four_processes_lose_no_write_while_lines_are_removed(path: Path) -> None:
    writers = [
        spawn.Process(target=write_notes, args=(str(path), name, 20)) for name in "abcd"
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    expected = {f"note {n} {i}" for n in "abcd" for i in range(20) if i % 10 != 9}
    with FileStore(path) as store:
        assert {i.content for i in store.export()} == expected
        assert store.bad_lines == ()


def test_the_file_is_readable_lines_of_the_portable_format(path: Path) -> None:
    with FileStore(path) as store:
        store.save(note("我喜欢蓝色"))

    text = path.read_text(encoding="utf-8")
    header, memory = (json.loads(line) for line in text.splitlines())
    assert header["kind"] == "mneme.file"
    assert memory["content"] == "我喜欢蓝色"
    assert "我喜欢蓝色" in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_cut_last_line_harms_no_other(path: Path) -> None:
    with FileStore(path) as store:
        store.save(note("first"))
    with path.open("ab") as file:
        file.write(b'{"schema_version":1,"owner_id":"u","cont')

    with FileStore(path) as store:
        store.save(note("second"))
        assert {i.content for i in store.export()} == {"first", "second"}
        assert [(b.line, b.code) for b in store.bad_lines] == [(3, "not_json")]


def test_bad_lines_are_skipped_and_kept_in_quarantine(path: Path) -> None:
    good = note("good", memory_id="m1").to_dict()
    path.write_bytes(
        b"\xef\xbb\xbf"
        + json.dumps(good).encode()
        + b"\r\n\n"
        + b'{"colour": "blue"}\n'
        + b"\xff\xfe\n"
        + json.dumps({**good, "memory_id": "m2", "content": "also"}).encode()
        + b"\n"
    )

    with FileStore(path) as store:
        assert [i.content for i in store.export()] == ["good", "also"]
        assert [b.line for b in store.bad_lines] == [3, 4]
        store.compact()
        assert store.bad_lines == ()

    kept = path.with_name("memories.jsonl.quarantine").read_text().splitlines()
    assert [json.loads(line)["line"] for line in kept] == [3, 4]
    assert len(path.read_text().splitlines()) == 3


def test_a_line_that_a_person_wrote_needs_no_id(path: Path) -> None:
    path.write_text(
        '{"schema_version":1,"owner_id":"u","type":"fact","content":"by hand",'
        '"source":{"kind":"user_input"},"timestamp":"2026-05-02T00:00:00Z"}\n'
    )

    with FileStore(path) as store, FileStore(path) as other:
        (item,) = store.export()
        assert item.memory_id
        assert other.load(item.memory_id, owner_id="u") == item


def test_replaced_lines_are_compacted_away(path: Path) -> None:
    with FileStore(path) as store:
        for start in range(3):
            store.import_batch(
                note(f"round {start} of {n}", external_id=f"n{n}") for n in range(600)
            )

        assert len(path.read_text().splitlines()) <= 1_201
        assert {i.content for i in store.export()} == {
            f"round 2 of {n}" for n in range(600)
        }


def test_a_forgotten_text_is_in_no_file(path: Path) -> None:
    with FileStore(path) as store:
        store.save(note("stays"))
        saved = store.save(note("secret umbrella", external_id="a"))
        store.save(note("secret violin", external_id="a"))
        store.forget(saved.memory_id or "", owner_id="u")

        everything = b"".join(p.read_bytes() for p in path.parent.iterdir())
        assert b"secret" not in everything
        assert b"stays" in everything


def test_a_write_that_fails_is_not_in_memory_either(path: Path) -> None:
    with FileStore(path) as store:
        store.save(note("first"))
        path.unlink()
        path.mkdir()
        with pytest.raises(OSError, match="directory"):
            store.save(note("second"))
        path.rmdir()

        assert list(store.export()) == []
