"""What holds for every back end alike."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from conftest import Place

import mneme
from mneme import Filter, MemoryItem, MemoryStore, Source
from mneme.keyed import save_record

MAY = datetime(2026, 5, 2, 8, 30, 15, 123456, tzinfo=timezone.utc)


def blue(**changes: object) -> MemoryItem:
    values = {"owner_id": "user-1", "content": "我喜欢蓝色", "type": "event"}
    return MemoryItem(**{**values, **changes})


def contents(found: list[mneme.Found]) -> list[str]:
    return [one.item.content for one in found]


def test_what_was_saved_is_loaded_with_every_field(store: MemoryStore) -> None:
    item = blue(
        source=Source("user_input", "wechat"),
        timestamp=MAY,
        occurred_at=MAY - timedelta(days=400),
        importance=0.75,
        confidence=0.5,
        subject="小明",
        entities=("蓝色",),
        tags=("colour", "style"),
        session_id="s-1",
        position=3,
        expire_at=MAY + timedelta(days=36500),
        external_id="crm-17",
        metadata={"nested": {"deep": [1, 2.5, None, True, "五"]}},
    )

    saved = store.save(item)
    loaded = store.load(saved.memory_id, owner_id="user-1")

    assert (saved.event, saved.status) == ("added", "active")
    assert loaded is not None
    assert loaded.created_at is not None
    assert loaded == replace(
        item,
        memory_id=saved.memory_id,
        created_at=loaded.created_at,
        namespace=loaded.namespace,
    )


def test_a_memory_without_a_timestamp_gets_the_moment_of_arrival(
    store: MemoryStore,
) -> None:
    before = datetime.now(timezone.utc)

    saved = store.save(blue())
    loaded = store.load(saved.memory_id, owner_id="user-1")

    assert loaded is not None
    assert loaded.timestamp is not None
    assert before <= loaded.timestamp <= datetime.now(timezone.utc)


def test_fields_that_only_a_store_sets_are_ignored_in_a_save(
    store: MemoryStore,
) -> None:
    saved = store.save(
        blue(memory_id="mine", access_count=99, base_score=1.0, status="archived")
    )
    loaded = store.load(saved.memory_id, owner_id="user-1")

    assert saved.memory_id != "mine"
    assert loaded is not None
    assert loaded.access_count == 0
    assert loaded.base_score != 1.0
    assert loaded.status == "active"


def test_the_same_external_id_updates(store: MemoryStore) -> None:
    first = store.save(blue(external_id="crm-17"))

    second = store.save(blue(external_id="crm-17", content="我喜欢黑色"))

    assert second.event == "updated"
    assert second.memory_id == first.memory_id
    found = store.load(owner_id="user-1", external_id="crm-17")
    assert found is not None
    assert found.content == "我喜欢黑色"
    assert [i.content for i in store.items(owner_id="user-1")] == ["我喜欢黑色"]


def test_an_old_text_is_not_found_after_an_update(store: MemoryStore) -> None:
    store.save(blue(external_id="a", content="likes violet umbrellas"))

    store.save(blue(external_id="a", content="owns a bicycle"))

    found = store.search("violet umbrellas", owner_id="user-1")
    assert "likes violet umbrellas" not in contents(found)


def test_the_same_text_reinforces_whatever_its_case_and_width(
    store: MemoryStore,
) -> None:
    first = store.save(blue(content="I like Blue."))

    second = store.save(blue(content="ｉ like blue"))

    assert (second.event, second.memory_id) == ("reinforced", first.memory_id)
    assert len(list(store.items(owner_id="user-1"))) == 1


def test_records_with_equal_texts_stay_apart(store: MemoryStore) -> None:
    for name in ("a", "b", "b"):
        save_record(store, blue(external_id=name), name)

    assert len(list(store.items(owner_id="user-1"))) == 2
    for name in ("a", "b"):
        assert store.load(owner_id="user-1", external_id=name) is not None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("喜欢什么颜色，蓝色吗", "我喜欢蓝色"),
        ("退换货", "用户下单前喜欢询问退换货规则"),
        ("Where does he live, in Zürich?", "Moved to Zurich in 2019"),
        ("umbrellas", "Forgot the umbrella on the tram"),
    ],
)
def test_search_puts_the_answer_first_in_both_languages(
    store: MemoryStore, query: str, expected: str
) -> None:
    for content in (
        "我喜欢蓝色",
        "用户下单前喜欢询问退换货规则",
        "Moved to Zurich in 2019",
        "Forgot the umbrella on the tram",
        "项目的截止日期是周五",
    ):
        store.save(blue(content=content))

    found = store.search(query, owner_id="user-1")

    assert found[0].item.content == expected
    assert 0 < found[0].score <= 1
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


def test_search_returns_at_most_the_limit(store: MemoryStore) -> None:
    for day in range(1, 6):
        store.save(blue(content=f"drank tea on day {day}"))

    assert len(store.search("tea", owner_id="user-1", limit=3)) == 3


def test_another_owner_sees_nothing(store: MemoryStore) -> None:
    saved = store.save(blue(external_id="crm-17"))

    assert store.search("蓝色", owner_id="user-2") == []
    assert store.load(saved.memory_id, owner_id="user-2") is None
    assert store.load(owner_id="user-2", external_id="crm-17") is None
    assert list(store.items(owner_id="user-2")) == []
    assert list(store.export(owner_id="user-2")) == []
    assert store.forget(saved.memory_id or "", owner_id="user-2") is False
    assert store.load(saved.memory_id, owner_id="user-1") is not None


@pytest.mark.parametrize(
    "wanted",
    [
        Filter(types=("event", "task")),
        Filter(tags=("tea", "green")),
        Filter(source_kind="user_input"),
        Filter(occurred_after=MAY - timedelta(days=1)),
        Filter(metadata={"place": {"city": "杭州"}}),
    ],
    ids=["types", "tags", "source", "occurred", "metadata"],
)
def test_a_filter_lets_only_the_matching_memory_through(
    store: MemoryStore, wanted: Filter
) -> None:
    store.save(
        blue(
            content="drank green tea in 杭州",
            type="event",
            tags=("tea", "green", "trip"),
            source=Source("user_input", "x"),
            occurred_at=MAY,
            metadata={"place": {"city": "杭州", "day": 2}, "n": 1},
        )
    )
    store.save(
        blue(
            content="drank black tea",
            type="fact",
            tags=("tea",),
            occurred_at=MAY - timedelta(days=9),
            metadata={"place": {"city": "上海"}},
        )
    )

    found = store.search("tea", owner_id="user-1", filter=wanted)

    assert contents(found) == ["drank green tea in 杭州"]
    assert [i.content for i in store.items(owner_id="user-1", filter=wanted)] == [
        "drank green tea in 杭州"
    ]


def test_a_search_can_be_narrowed_to_namespaces(store: MemoryStore) -> None:
    owner_id = f"team-{uuid.uuid4()}"  # a shared namespace is shared with earlier runs
    store.save(blue(owner_id=owner_id, content="tea at work", namespace="support"))
    store.save(blue(owner_id=owner_id, content="tea at home"))

    found = store.search("tea", owner_id=owner_id, namespaces=["support"])

    assert contents(found) == ["tea at work"]


def test_an_expired_memory_is_not_returned(store: MemoryStore) -> None:
    store.save(blue(content="vegetarian this week", expire_at=MAY, timestamp=MAY))

    assert store.search("vegetarian", owner_id="user-1") == []
    assert list(store.items(owner_id="user-1")) == []


def test_update_changes_the_text_and_keeps_the_id(store: MemoryStore) -> None:
    saved = store.save(blue(tags=("colour",)))
    loaded = store.load(saved.memory_id, owner_id="user-1")
    assert loaded is not None

    updated = store.update(replace(loaded, content="我喜欢冷色"))

    assert (updated.event, updated.memory_id) == ("updated", saved.memory_id)
    again = store.load(saved.memory_id, owner_id="user-1")
    assert again is not None
    assert (again.content, again.tags) == ("我喜欢冷色", ("colour",))


def test_update_of_an_unknown_memory_is_not_found(store: MemoryStore) -> None:
    with pytest.raises(mneme.NotFound):
        store.update(blue(memory_id="00000000-0000-4000-8000-000000000000"))


def test_forget_is_final_and_may_be_repeated(store: MemoryStore) -> None:
    saved = store.save(blue())
    kept = store.save(blue(content="我住在杭州"))
    memory_id = saved.memory_id or ""

    assert store.forget(memory_id, owner_id="user-1", reason="asked") is True
    assert store.forget(memory_id, owner_id="user-1") is False
    assert store.load(memory_id, owner_id="user-1") is None
    assert "我喜欢蓝色" not in contents(store.search("喜欢蓝色", owner_id="user-1"))
    assert [i.memory_id for i in store.export(owner_id="user-1")] == [kept.memory_id]


def linked_pair() -> tuple[MemoryItem, MemoryItem]:
    """Two memories with every field that a file can bring in, and links between."""
    old_id, new_id = str(uuid.uuid4()), str(uuid.uuid4())
    common = {
        "source": Source("user_input", "wechat"),
        "importance": 0.75,
        "confidence": 0.5,
        "subject": "小明",
        "session_id": "s-1",
        "created_at": MAY + timedelta(seconds=1),
    }
    old = blue(
        **common,
        memory_id=old_id,
        type="preference",
        timestamp=MAY,
        last_accessed_at=MAY + timedelta(days=1),
        access_count=7,
        base_score=0.8125,
        status="superseded",
        position=3,
        related=(new_id,),
        external_id="crm-1",
        entities=("蓝色",),
        tags=("colour",),
        occurred_at=MAY - timedelta(days=400),
        expire_at=MAY + timedelta(days=36500),
        metadata={"k": {"deep": [1, "五"]}},
    )
    new = blue(
        **common,
        memory_id=new_id,
        content="我喜欢黑色",
        type="preference",
        timestamp=MAY + timedelta(days=2),
        last_accessed_at=MAY + timedelta(days=3),
        access_count=1,
        base_score=0.5,
        supersedes=(old_id,),
    )
    return old, new


def test_export_and_import_keep_every_field(store: MemoryStore, tmp_path: Path) -> None:
    pair = linked_pair()

    report = store.import_batch(pair)
    exported = {i.content: i for i in store.export(owner_id="user-1")}

    assert (report.added, report.updated, report.unchanged) == (2, 0, 0)
    for item in pair:
        found = exported[item.content]
        assert found == replace(
            item,
            namespace=found.namespace,
            embedding_model=found.embedding_model,
            embedding=found.embedding,
        )
    with mneme.open((tmp_path / "other.jsonl").as_uri()) as other:
        other.import_batch(exported.values())
        assert {i.content: i for i in other.export()} == exported


def test_the_same_import_twice_changes_nothing(store: MemoryStore) -> None:
    items = [
        blue(content=f"note {n}", timestamp=MAY, external_id=f"n{n}") for n in "ab"
    ]
    store.import_batch(items)
    before = list(store.export(owner_id="user-1"))

    report = store.import_batch(items)

    assert (report.added, report.updated, report.unchanged) == (0, 0, 2)
    assert list(store.export(owner_id="user-1")) == before


def test_a_dry_run_counts_and_writes_nothing(store: MemoryStore) -> None:
    item = blue(timestamp=MAY)

    report = store.import_batch([item], dry_run=True)

    assert (report.added, report.unchanged) == (1, 0)
    assert list(store.export(owner_id="user-1")) == []


def test_a_long_list_is_paged_completely(store: MemoryStore) -> None:
    store.import_batch(
        blue(content=f"note {n}", timestamp=MAY, external_id=f"n{n}")
        for n in range(250)
    )

    assert len({i.external_id for i in store.items(owner_id="user-1")}) == 250


def test_what_one_handle_saved_another_sees(store: MemoryStore, place: Place) -> None:
    with mneme.open(place.url, token=place.token) as other:
        assert other.search("蓝色", owner_id="user-1") == []
        saved = store.save(blue())
        assert contents(other.search("蓝色", owner_id="user-1")) == ["我喜欢蓝色"]
        store.forget(saved.memory_id or "", owner_id="user-1")
        assert other.search("蓝色", owner_id="user-1") == []


def test_the_asynchronous_face_does_the_same(place: Place) -> None:
    async def scenario() -> list[str]:
        async with mneme.aopen(place.url, token=place.token) as store:
            saved = await store.save(blue())
            await asyncio.gather(
                *(store.save(blue(content=f"note {n}")) for n in range(20))
            )
            assert saved.memory_id is not None
            loaded = await store.load(saved.memory_id, owner_id="user-1")
            assert loaded is not None
            found = await store.search("蓝色", owner_id="user-1")
            listed = [item async for item in store.items(owner_id="user-1")]
            assert len(listed) == 21
            assert await store.forget(saved.memory_id, owner_id="user-1")
            exported = [item async for item in store.export(owner_id="user-1")]
            assert len(exported) == 20
            return contents(found)[:1]

    assert asyncio.run(scenario()) == ["我喜欢蓝色"]
