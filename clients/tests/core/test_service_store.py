"""What is the network's own: retries, keys, time-outs, errors one can read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_service import TOKEN, FakeService, running

import mneme
from mneme import MemoryItem, Refused, Unavailable
from mneme.stores.service import ServiceStore
from mneme.transport import Transport

ITEM = MemoryItem(owner_id="u", content="我喜欢蓝色")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[FakeService]:
    with running(tmp_path / "service.db") as started:
        yield started


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def store(service: FakeService, pauses: list[float]) -> Iterator[ServiceStore]:
    with ServiceStore(
        Transport(service.url, TOKEN, timeout=2.0, pause=pauses.append)
    ) as opened:
        yield opened


@pytest.mark.parametrize(
    "memory_id", ["../me", "../../v1/me", "..", "", "a/b", "x?owner_id=other", "%2e%2e"]
)
def test_what_is_no_id_is_no_memory_and_no_other_address(
    service: FakeService, store: ServiceStore, memory_id: str
) -> None:
    assert store.load(memory_id, owner_id="u") is None
    assert service.requests == []


def test_a_save_whose_answer_was_lost_is_sent_again_and_counts_once(
    service: FakeService, store: ServiceStore
) -> None:
    service.after.append(lambda: "drop")

    saved = store.save(ITEM)

    assert saved.event == "added"
    keys = {key for _, _, key in service.requests}
    assert len(service.requests) == 2
    assert len(keys) == 1
    assert None not in keys
    assert len(list(service.store.export())) == 1


def test_a_caller_s_own_key_makes_two_calls_one(
    service: FakeService, store: ServiceStore
) -> None:
    first = store.save(ITEM, key="k-1")
    second = store.save(ITEM, key="k-1")

    assert first == second


def test_the_same_key_for_something_else_is_refused(store: ServiceStore) -> None:
    store.save(ITEM, key="k-1")

    with pytest.raises(Refused) as caught:
        store.save(MemoryItem(owner_id="u", content="other"), key="k-1")

    assert (caught.value.status, caught.value.code) == (409, "idempotency_conflict")


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_trouble_that_passes_is_waited_out(
    service: FakeService, store: ServiceStore, pauses: list[float], status: int
) -> None:
    service.before += [lambda: status, lambda: status]

    assert store.save(ITEM).event == "added"
    assert len(pauses) == 2
    assert 0 < pauses[0] < pauses[1]


def test_trouble_that_stays_is_unavailable(
    service: FakeService, store: ServiceStore
) -> None:
    service.before += [lambda: 503] * 3

    with pytest.raises(Unavailable, match=r"POST /v1/memory/recall answered 503"):
        store.search("x", owner_id="u")
    assert len(service.requests) == 3


def test_an_internal_error_is_not_repeated(
    service: FakeService, store: ServiceStore
) -> None:
    service.before.append(lambda: 500)

    with pytest.raises(Unavailable, match="500"):
        store.save(ITEM)
    assert len(service.requests) == 1


def test_a_service_that_hangs_is_given_up(
    service: FakeService, pauses: list[float]
) -> None:
    def hang() -> str:
        time.sleep(0.5)
        return "drop"

    service.before += [hang] * 2
    transport = Transport(
        service.url, TOKEN, timeout=0.1, attempts=2, pause=pauses.append
    )
    with ServiceStore(transport) as store, pytest.raises(Unavailable):
        store.save(ITEM)


def test_nobody_there_is_unavailable_and_names_the_call() -> None:
    transport = Transport("http://127.0.0.1:9", TOKEN, pause=lambda seconds: None)
    with (
        ServiceStore(transport) as store,
        pytest.raises(Unavailable, match=r"POST /v1/memory/save at 127.0.0.1"),
    ):
        store.save(ITEM)


def test_a_refusal_says_what_and_why(service: FakeService) -> None:
    store = mneme.open(service.url, token="wrong")
    with store, pytest.raises(Refused) as caught:
        store.save(ITEM)

    assert caught.value.code == "not_authenticated"
    assert "POST /v1/memory/save was refused: 401" in str(caught.value)


def test_connections_are_reused(service: FakeService, store: ServiceStore) -> None:
    for number in range(10):
        store.save(MemoryItem(owner_id="u", content=f"note {number}"))

    assert len(service.connections) == 1


def test_a_namespace_in_the_url_is_where_memories_go(service: FakeService) -> None:
    with mneme.open(f"{service.url}?namespace=support", token=TOKEN) as store:
        store.save(ITEM)

    assert [i.namespace for i in service.store.export()] == ["support"]


def test_an_export_that_ends_early_is_not_taken_for_a_whole_one(
    service: FakeService, store: ServiceStore
) -> None:
    store.import_batch(
        MemoryItem(owner_id="u", content=f"note {number}") for number in range(3)
    )
    service.longest_export = 2

    with pytest.raises(Unavailable, match="2 of 3"):
        list(store.export())


def test_an_import_is_sent_in_pieces(service: FakeService, store: ServiceStore) -> None:
    report = store.import_batch(
        MemoryItem(owner_id="u", content=f"note {number}") for number in range(1_001)
    )

    assert report.added == 1_001
    assert [path for _, path, _ in service.requests] == ["/v1/memory/import"] * 21
