"""Memories of two people, and places for backups and the ledger."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.actions import memories
from memory_core.contracts.memories import Draft
from memory_core.saving import lookups
from memory_core.saving.vectors import ensure_model
from tests.factories import make_caller

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _places(settings, tmp_path):
    settings.LEDGER_DIR = tmp_path / "ledger"
    settings.KEYS_DIR = tmp_path / "keys"
    settings.KEYS_DIR.mkdir()
    (settings.KEYS_DIR / "digest_key").write_text(settings.DIGEST_KEY.hex())
    settings.AUDIT_DIR = tmp_path / "audit"
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    lookups.forget()


@pytest.fixture
def to(tmp_path) -> Path:
    """The folder for backups."""
    return tmp_path / "backups"


@pytest.fixture
def remember() -> Callable[[str, str], None]:
    """Save a memory of an owner."""
    ensure_model()
    caller = make_caller(shared={"support": "rw"})

    def save(owner: str, content: str) -> None:
        draft = Draft(
            owner_id=owner,
            content=content,
            namespace="support",
            source_kind="user_input",
            source_name="chat",
        )
        memories.remember(draft=draft, by=caller)

    return save
