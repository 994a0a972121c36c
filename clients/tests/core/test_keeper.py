"""What every chat adapter does with a store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

import pytest
from support.fake_service import TOKEN, FakeService, running

import mneme
from mneme import MemoryItem, MemoryStore, Unavailable
from mneme.keeper import Keeper
from mneme.stores.service import ServiceStore
from mneme.transport import Transport

NOW = datetime(2026, 5, 2, tzinfo=timezone.utc)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MemoryStore]:
    with mneme.open((tmp_path / "memories.jsonl").as_uri()) as opened:
        yield opened


@pytest.fixture
def keeper(store: MemoryStore) -> Keeper:
    return Keeper(store, source_name="chat", clock=lambda: NOW)


def keep(store: MemoryStore, *contents: str, type: str = "event") -> None:
    for content in contents:
        store.save(MemoryItem(owner_id="u", content=content, type=type))


def test_what_answers_comes_first_and_who_the_user_is_fills_up(
    store: MemoryStore, keeper: Keeper
) -> None:
    keep(store, "我叫小明", type="profile")
    keep(store, "我喜欢蓝色", type="preference")
    keep(store, "昨天买了一件衬衫", "周五要发货")

    found = keeper.recall("昨天的衬衫", owner_id="u")

    assert [one.item.content for one in found] == [
        "昨天买了一件衬衫",
        "我叫小明",
        "我喜欢蓝色",
    ]


def test_nothing_is_shown_twice_and_no_more_than_the_limit(
    store: MemoryStore, keeper: Keeper
) -> None:
    keep(store, *(f"我喜欢颜色{n}" for n in range(9)), type="preference")

    found = keeper.recall("喜欢颜色", owner_id="u", limit=4)

    assert len({one.item.memory_id for one in found}) == len(found) == 4


def test_nobody_known_is_no_block(keeper: Keeper) -> None:
    assert keeper.block("你好", owner_id="u") == ""


def test_a_very_long_question_is_cut_to_what_a_service_takes(
    tmp_path: Path,
) -> None:
    with running(tmp_path / "service.db") as service, over(service) as keeper:
        assert keeper.recall("问" * 5_000, owner_id="u") == []


def test_a_statement_is_kept_with_its_source_and_session(
    store: MemoryStore, keeper: Keeper
) -> None:
    saved = keeper.remember(" 我喜欢蓝色 ", owner_id="u", session_id="s1")

    assert saved is not None
    (item,) = store.items(owner_id="u")
    assert (item.content, item.type) == ("我喜欢蓝色", "preference")
    assert (item.source.kind, item.source.name) == ("user_input", "chat")
    assert item.session_id == "s1"


def test_a_refused_write_does_not_stop_the_agent(tmp_path: Path) -> None:
    with running(tmp_path / "service.db") as service, over(service) as keeper:
        service.before.append(lambda: 422)
        assert keeper.remember("我喜欢蓝色", owner_id="u") is None


def test_a_service_that_is_down_is_the_caller_s_choice(tmp_path: Path) -> None:
    with running(tmp_path / "service.db") as service, over(service) as keeper:
        service.before.append(lambda: 500)
        with pytest.raises(Unavailable):
            keeper.remember("我喜欢蓝色", owner_id="u")


@contextmanager
def over(service: FakeService) -> Iterator[Keeper]:
    with ServiceStore(Transport(service.url, TOKEN, attempts=1)) as store:
        yield Keeper(store, source_name="chat")
