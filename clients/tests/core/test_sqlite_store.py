"""What is the database's own: processes, layout, and forgetting on disk."""

from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path

import pytest

from mneme import MemoryItem, MnemeError
from mneme.stores.sqlite import SQLiteStore

spawn = multiprocessing.get_context("spawn")


def write_notes(path: str, name: str, count: int) -> None:
    with SQLiteStore(Path(path)) as store:
        for number in range(count):
            store.save(MemoryItem(owner_id="u", content=f"note {name} {number}"))


def test_four_processes_lose_no_write(tmp_path: Path) -> None:
    path = tmp_path / "memories.db"
    writers = [
        spawn.Process(target=write_notes, args=(str(path), name, 20)) for name in "abcd"
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    with SQLiteStore(path) as store:
        assert len({i.content for i in store.export()}) == 80


def test_the_database_uses_a_write_ahead_log(tmp_path: Path) -> None:
    SQLiteStore(tmp_path / "memories.db").close()

    base = sqlite3.connect(tmp_path / "memories.db")
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    base.close()


def test_a_forgotten_text_is_in_no_file(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "memories.db") as store:
        for number in range(50):
            store.save(MemoryItem(owner_id="u", content=f"stays {number} 晴天"))
        saved = store.save(
            MemoryItem(owner_id="u", content="xylophone 咖喱", external_id="a")
        )
        store.save(MemoryItem(owner_id="u", content="zither 咖喱", external_id="a"))
        store.forget(saved.memory_id or "", owner_id="u")

        everything = b"".join(p.read_bytes() for p in tmp_path.iterdir())
        for word in ("xylophone", "zither", "咖喱", "咖"):
            assert word.encode() not in everything
        assert "晴天".encode() in everything


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    base = sqlite3.connect(tmp_path / "memories.db")
    base.execute("PRAGMA user_version = 99")
    base.close()

    with pytest.raises(MnemeError, match="newer version"):
        SQLiteStore(tmp_path / "memories.db")


def test_marks_of_the_query_language_are_only_text(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "memories.db") as store:
        store.save(MemoryItem(owner_id="u", content='he said "near" AND left'))

        found = store.search('near" OR owner:* NOT ( ) - ^', owner_id="u")

        assert len(found) == 1
        assert store.search('"', owner_id="u") == []


def test_a_search_scores_like_the_file_does(tmp_path: Path) -> None:
    from mneme.stores.file import FileStore

    texts = ["蓝色的衬衫", "blue shirts and blue shoes", "a shirt", "冷色调", "shoes"]
    with (
        SQLiteStore(tmp_path / "memories.db") as one,
        FileStore(tmp_path / "memories.jsonl") as other,
    ):
        for text in texts:
            one.save(MemoryItem(owner_id="u", content=text))
            one.save(MemoryItem(owner_id="v", content=text))
            other.save(MemoryItem(owner_id="u", content=text))
        for query in ("blue shirt", "蓝色", "shoes 色"):
            scores = [
                [(f.item.content, f.score) for f in store.search(query, owner_id="u")]
                for store in (one, other)
            ]
            assert scores[0] == scores[1]
            assert scores[0]
