"""The service is down: the agent goes on, and no write is lost or sent twice."""

from __future__ import annotations

import multiprocessing
import os
import socket
import stat
from pathlib import Path

import pytest
from support.fake_service import TOKEN, running

import mneme
from mneme import MemoryItem
from mneme.outbox import Entry, Outbox
from mneme.stores.guarded import GuardedStore
from mneme.stores.service import ServiceStore
from mneme.transport import Transport

spawn = multiprocessing.get_context("spawn")


def note(text: str, **changes: object) -> MemoryItem:
    return MemoryItem(owner_id="u", content=text, **changes)


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def opened(port: int, spool: Path | None) -> GuardedStore:
    store = mneme.open(
        f"http://127.0.0.1:{port}",
        token=TOKEN,
        when_down="spool" if spool else "empty",
        spool=spool,
    )
    assert isinstance(store, GuardedStore)
    return store


def test_raise_is_the_default(port: int) -> None:
    with (
        mneme.open(f"http://127.0.0.1:{port}", token=TOKEN) as store,
        pytest.raises(mneme.Unavailable),
    ):
        store.search("x", owner_id="u")


def test_empty_answers_nothing_and_says_that_a_write_is_lost(port: int) -> None:
    with opened(port, None) as store:
        assert store.save(note("a")).event == "lost"
        assert store.search("a", owner_id="u") == []
        assert store.load("m1", owner_id="u") is None
        assert list(store.items(owner_id="u")) == []
        assert store.forget("m1", owner_id="u") is False


def test_a_service_that_is_down_is_left_alone_for_a_while(tmp_path: Path) -> None:
    moments = iter([0.0, 0.0, 4.9, 5.1, 5.1])
    with running(tmp_path / "service.db") as service:
        inner = ServiceStore(Transport(service.url, TOKEN, attempts=1))
        with GuardedStore(inner, rest=5.0, clock=lambda: next(moments)) as store:
            service.before.append(lambda: 503)
            assert store.save(note("a")).event == "lost"
            assert store.save(note("b")).event == "lost"
            assert len(service.requests) == 1
            assert store.save(note("c")).event == "added"


def test_an_export_never_pretends_to_be_empty(port: int) -> None:
    with opened(port, None) as store, pytest.raises(mneme.Unavailable):
        list(store.export())


def test_spooled_writes_arrive_in_order_and_once(port: int, tmp_path: Path) -> None:
    spool = tmp_path / "spool.db"
    with opened(port, spool) as store:
        for text in ("first", "second", "third"):
            assert store.save(note(text, external_id="same")).event == "spooled"
    assert stat.S_IMODE(spool.stat().st_mode) == 0o600

    with (
        running(tmp_path / "service.db", port) as service,
        opened(port, spool) as store,
    ):
        store.save(note("fourth", external_id="same"))

        (item,) = service.store.export()
        assert item.content == "fourth"
        assert [v["content"] for v in item.versions] == ["first", "second", "third"]
        keys = [key for _, _, key in service.requests]
        assert len(keys) == len(set(keys)) == 4


def test_a_write_whose_answer_was_lost_is_spooled_under_its_own_key(
    port: int, tmp_path: Path
) -> None:
    with (
        running(tmp_path / "service.db", port) as service,
        opened(port, tmp_path / "spool.db") as store,
    ):
        service.after += [lambda: "drop"] * 3
        assert store.save(note("once", external_id="a")).event == "spooled"
        assert store.flush() is True

        assert len({key for _, _, key in service.requests}) == 1
        assert len(service.requests) == 4
        (item,) = service.store.export()
        assert item.versions == ()


def test_a_spooled_forget_and_update_are_carried_out(port: int, tmp_path: Path) -> None:
    path, spool = tmp_path / "service.db", tmp_path / "spool.db"
    with running(path, port), opened(port, spool) as store:
        gone = store.save(note("goes")).memory_id or ""
        changed = store.save(note("before")).memory_id
    with opened(port, spool) as store:
        assert store.forget(gone, owner_id="u") is False
        assert store.update(note("after", memory_id=changed)).event == "spooled"

    with running(path, port) as service, opened(port, spool) as store:
        assert [i.content for i in store.items(owner_id="u")] == ["after"]
        assert [i.content for i in service.store.export()] == ["after"]


def test_an_entry_that_is_refused_does_not_hold_up_the_rest(
    port: int, tmp_path: Path
) -> None:
    spool = tmp_path / "spool.db"
    outbox = Outbox(spool)
    bad = {**note("x").to_dict(), "memory_id": "none"}
    outbox.add(Entry("k1", "update", bad))
    outbox.close()
    with opened(port, spool) as store:
        store.save(note("good"))

    with (
        running(tmp_path / "service.db", port) as service,
        opened(port, spool) as store,
    ):
        assert store.flush() is True
        assert [i.content for i in service.store.export()] == ["good"]

    outbox = Outbox(spool)
    ((entry, reason),) = outbox.refused()
    assert entry.key == "k1"
    assert "/v1/memory/update" in reason
    outbox.close()


def test_a_wrong_token_keeps_the_spool(port: int, tmp_path: Path) -> None:
    spool = tmp_path / "spool.db"
    with opened(port, spool) as store:
        store.save(note("kept"))

    with running(tmp_path / "service.db", port):
        with mneme.open(
            f"http://127.0.0.1:{port}", token="wrong", when_down="spool", spool=spool
        ) as store:
            assert store.flush() is False
        with opened(port, spool) as store:
            assert [i.content for i in store.items(owner_id="u")] == ["kept"]


def drain_and_die(spool: str, url: str, after: int) -> None:
    sent = 0

    def send(entry: Entry) -> None:
        nonlocal sent
        if sent == after:
            os._exit(9)
        with mneme.open(url, token=TOKEN) as store:
            values = {k: v for k, v in entry.data.items() if k != "schema_version"}
            store.save(MemoryItem.from_fields(values), key=entry.key)
        sent += 1
        if sent == after:
            os._exit(9)  # the answer came, the entry is still there

    Outbox(Path(spool)).drain(send)


def test_a_process_killed_while_sending_leaves_nothing_out_and_nothing_twice(
    port: int, tmp_path: Path
) -> None:
    spool = tmp_path / "spool.db"
    with opened(port, spool) as store:
        for number in range(20):
            store.save(note(f"note {number}", external_id="same"))

    with running(tmp_path / "service.db", port) as service:
        victim = spawn.Process(target=drain_and_die, args=(str(spool), service.url, 7))
        victim.start()
        victim.join()
        assert victim.exitcode == 9
        with opened(port, spool) as store:
            assert store.flush() is True

        (item,) = service.store.export()
        texts = [*(v["content"] for v in item.versions), item.content]
        assert texts == [f"note {number}" for number in range(20)]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://x/y",
        "file:memories.jsonl",
        "https://me:secret@host",
        "https://h?colour=1",
    ],
)
def test_a_url_that_no_store_takes_is_an_error(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL|path"):
        mneme.open(url, token="")
