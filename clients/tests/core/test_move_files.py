"""Moving in from plain files: maps, time zones, encodings, what is cut or broken."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

import pytest
from support.moving import MAY, MEM0, Move

from mneme.errors import InvalidItem
from mneme.move.reading import csv_records, yaml_records

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
        '{"id": "6", "memory": "deep", "metadata": ' + "[" * 850 + "]" * 850 + "}",
        '{"id": "7", "memory": "deeper", "metadata": ' + "[" * 5_000,
        '{"id": "8", "memory": "cut o',
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
        (9, "not_json"),
        (10, "not_json"),
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
