"""The README's tour works as it is pasted."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.supervisor.service import PROJECT, Service

pytestmark = pytest.mark.server
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)


def tour() -> list[str]:
    """Return the shell blocks of the tour, as they stand in the README."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    part = text.split("## A short tour")[1].split("\n## ")[0]
    return BLOCK.findall(part)


def test_every_line_of_the_tour_works_as_pasted(running: Service) -> None:
    running.wait_answers()
    said = run_all(tour(), running)
    documents = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    saved = [one["event"] for one in documents if "event" in one]
    recalls = [one["memories"] for one in documents if "recall_id" in one]
    assert saved == ["added", "added", "added", "added"]
    assert recalls[0][0]["content"] == "我喜欢蓝色"
    assert recalls[1] == []
    assert [memory["content"] for memory in recalls[2]] == ["我叫小明"]
    statuses = {
        memory["content"]: memory["status"]
        for one in documents
        if "next_cursor" in one
        for memory in one["memories"]
    }
    assert statuses["我喜欢蓝色"] == "superseded"
    assert statuses["我不再喜欢蓝色了，现在喜欢黑色"] == "active"
    assert statuses["I am allergic to peanuts"] == "active"


def run_all(blocks: list[str], service: Service) -> str:
    """Return what the blocks print when pasted into one shell, one after another."""
    script = "set -e\n" + "\necho\n".join(blocks)
    python = Path(service.process.args[0])
    script = script.replace(".venv/bin/python", f"'{python}'")
    script = re.sub(r"^(curl .*(?:\n  .*)*)$", r"\1; echo", script, flags=re.MULTILINE)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=PROJECT,
        env=service.environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
