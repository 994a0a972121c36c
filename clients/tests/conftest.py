"""The stores that every contract test runs against.

With `MNEME_TEST_URL` and `MNEME_TEST_TOKENS` (a file with one token a line, each of an
agent that has saved nothing) the tests run against a real service too, one token each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.fake_service import TOKEN, running
from support.moving import Move
from support.tokens import fresh_token

import mneme

REAL = os.environ.get("MNEME_TEST_URL")
os.environ["MEM0_TELEMETRY"] = "False"
KINDS = ["file", "sqlite", "service", *(["real"] if REAL else [])]


@dataclass(frozen=True)
class Place:
    """Where an empty store is, and the token for it."""

    kind: str
    url: str
    token: str = TOKEN


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty store of each kind."""
    kind = request.param
    if kind == "file":
        yield Place(kind, (tmp_path / "memories.jsonl").as_uri())
    elif kind == "sqlite":
        path = tmp_path / "memories.db"
        yield Place(kind, path.as_uri().replace("file:", "sqlite:"))
    elif kind == "service":
        with running(tmp_path / "service.db") as service:
            yield Place(kind, service.url)
    else:
        yield Place(kind, str(REAL), fresh_token())


@pytest.fixture
def store(place: Place) -> Iterator[mneme.MemoryStore]:
    with mneme.open(place.url, token=place.token) as opened:
        yield opened


@pytest.fixture
def mem0_host() -> str:
    """Where a real service imitates mem0; `make test-clients` starts one."""
    if REAL is None:
        pytest.skip("no service: run it by `make test-clients`")
    return f"{REAL}/compat/mem0"


@pytest.fixture
def fresh() -> str:
    """The token of an agent that has saved nothing."""
    return fresh_token()


@pytest.fixture
def move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Move:
    """The command `move`, in a folder of the test."""
    return Move(tmp_path, capsys)
