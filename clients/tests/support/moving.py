"""The command `move` on files of a test."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import mneme
from mneme import MemoryItem
from mneme.__main__ import main

MAY = datetime(2026, 5, 2, 8, tzinfo=timezone.utc)
MEM0 = {
    "id": "892db2ae-06d9-49e5-8b3e-585ef9b85b8e",
    "memory": "Likes blue",
    "user_id": "user-1",
    "agent_id": "shop",
    "run_id": "run-7",
    "hash": "abc",
    "metadata": {"channel": "wechat"},
    "categories": ["style", "colours"],
    "created_at": "2026-05-01T03:00:00-07:00",
    "updated_at": "2026-05-02T01:00:00-07:00",
}


class Move:
    """Runs the command on a file and reads back what came of it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.to = (folder / "to.jsonl").as_uri()
        self._capsys = capsys

    def file(self, content: str | bytes, name: str = "dump.json") -> Path:
        path = self.folder / name
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(data)
        return path

    def __call__(self, path: Path, system: str, *options: str) -> dict[str, Any]:
        arguments = ["move", str(path), "--from", system, "--to", self.to, *options]
        self.status = main(arguments)
        said = self._capsys.readouterr()
        self.error = said.err
        answer: dict[str, Any] = json.loads(said.out) if said.out else {}
        return answer

    def items(self) -> list[MemoryItem]:
        with mneme.open(self.to) as store:
            return list(store.export())

    def quarantined(self, path: Path) -> list[dict[str, Any]]:
        beside = path.with_name(path.name + ".quarantine.jsonl")
        return [json.loads(line) for line in beside.read_text().splitlines()]
