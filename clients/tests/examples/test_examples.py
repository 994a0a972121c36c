"""Every command that the README prints runs, with a scripted model behind it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.scripted_model import scripted_model

import mneme
from mneme import MemoryItem, Source

CLIENTS = Path(__file__).parents[2]
COMMANDS = re.findall(
    r"^python (examples/\w+\.py)$", (CLIENTS / "README.md").read_text(), re.MULTILINE
)
# What each example must print about a user who said that blue is liked.
NEEDS = {
    "bare_script": "json",
    "langchain_agent": "langchain_openai",
    "langgraph_store": "langgraph",
    "autogen_agent": "autogen_ext",
    "agent_framework_agent": "agent_framework",
    "agentscope1_agent": "agentscope.memory",
    "agentscope1_memory_agent": "agentscope.memory",
    "agentscope2_agent": "agentscope.middleware",
    "mcp_client": "mcp.server.mcpserver",
}


def test_the_readme_prints_every_example() -> None:
    files = sorted(f"examples/{path.name}" for path in CLIENTS.glob("examples/*.py"))

    assert sorted(COMMANDS) == files


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_runs_and_knows_the_user(command: str, tmp_path: Path) -> None:
    framework = NEEDS[Path(command).stem]
    found = subprocess.run(
        [sys.executable, "-c", f"import {framework}"], capture_output=True, check=False
    )
    if found.returncode:
        pytest.skip(f"{framework} is not in this environment")
    url = (tmp_path / "memories.jsonl").as_uri()
    with mneme.open(url) as memory:
        said = Source("user_input", "wechat")
        item = MemoryItem(
            owner_id="user-42", content="我喜欢蓝色", type="preference", source=said
        )
        memory.save(item)

    with scripted_model() as model:
        model.script = ["蓝色的衬衫"] * 3
        done = subprocess.run(
            [sys.executable, *shlex.split(command)],
            cwd=CLIENTS,
            env={
                **os.environ,
                "PYTHONPATH": str(CLIENTS),
                "MNEME_STORE": url,
                "OPENAI_API_KEY": "none",
                "OPENAI_BASE_URL": model.url,
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        prompts = "".join(model.prompt_text(n) for n in range(len(model.prompts)))

    assert done.returncode == 0, done.stderr
    assert "蓝色" in done.stdout
    if prompts:
        assert "我喜欢蓝色" in prompts
