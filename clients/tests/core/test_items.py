"""The portable record: what it takes, what it refuses, what it writes."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from mneme import InvalidItem, MemoryItem, Source, jsonlines

SCHEMA = Path(__file__).parents[3] / "docs" / "portable-format.schema.json"


def line(**changes: object) -> dict[str, object]:
    return {
        "schema_version": 1,
        "owner_id": "u",
        "type": "fact",
        "content": "x",
        "source": {"kind": "user_input"},
        "timestamp": "2026-05-02T08:00:00Z",
        **changes,
    }


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"colour": 1}, "colour", "unknown_field"),
        (
            {"source": {"kind": "user_input", "trust": 1}},
            "source.trust",
            "unknown_field",
        ),
        ({"content": None}, "content", "missing_field"),
        ({"content": " \n"}, "content", "missing_field"),
        ({"content": "x" * 8_001}, "content", "too_long"),
        ({"content": "a\0b"}, "content", "unstorable_text"),
        ({"metadata": {"a": ["\ud800"]}}, "metadata.a", "unstorable_text"),
        ({"timestamp": "2026-05-02T08:00:00"}, "timestamp", "time_without_offset"),
        ({"timestamp": "2026-13-02T08:00:00Z"}, "timestamp", "bad_time"),
        ({"timestamp": 1_700_000_000}, "timestamp", "bad_time"),
        ({"schema_version": 2}, "schema_version", "schema_too_new"),
        ({"schema_version": True}, "schema_version", "missing_field"),
        ({"importance": 1.5}, "importance", "out_of_range"),
        ({"importance": True}, "importance", "wrong_type"),
        ({"access_count": -1}, "access_count", "out_of_range"),
        ({"access_count": 1.0}, "access_count", "wrong_type"),
        ({"type": "opinion"}, "type", "out_of_range"),
        ({"tags": "colour"}, "tags", "wrong_type"),
        ({"tags": [1]}, "tags", "wrong_type"),
        ({"owner_id": "u" * 201}, "owner_id", "too_long"),
        ({"tags": ["t" * 101]}, "tags", "too_long"),
        ({"tags": ["t"] * 51}, "tags", "too_long"),
        ({"metadata": {"k": "x" * 17_000}}, "metadata", "too_long"),
        ({"position": -1}, "position", "out_of_range"),
    ],
)
def test_a_bad_line_names_its_field_and_a_code(
    changes: dict[str, object], field: str, code: str
) -> None:
    with pytest.raises(InvalidItem) as caught:
        MemoryItem.from_dict(line(**changes))

    assert (caught.value.field, caught.value.code) == (field, code)


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": 1, "a": 2}', "[1]", '{"a"', ""])
def test_what_is_not_strict_json_is_a_bad_line(text: str) -> None:
    with pytest.raises(InvalidItem):
        jsonlines.loads(text)


@pytest.mark.parametrize(
    ("text", "hour", "micro"),
    [
        ("2026-05-02T08:00:00Z", 8, 0),
        ("2026-05-02T08:00:00.5Z", 8, 500_000),
        ("2026-05-02T08:00:00.123456789+02:00", 6, 123_456),
        ("2026-05-02 08:00-0100", 9, 0),
    ],
)
def test_an_offset_is_converted_to_utc(text: str, hour: int, micro: int) -> None:
    moment = MemoryItem.from_dict(line(timestamp=text)).timestamp

    assert moment == datetime(2026, 5, 2, hour, 0, 0, micro, tzinfo=timezone.utc)


def test_a_datetime_of_another_zone_is_written_in_utc() -> None:
    china = timezone(timedelta(hours=8))
    item = MemoryItem(
        owner_id="u", content="x", timestamp=datetime(2026, 5, 2, 8, tzinfo=china)
    )

    assert item.to_dict()["timestamp"] == "2026-05-02T00:00:00Z"


def test_content_is_kept_in_nfc() -> None:
    assert MemoryItem(owner_id="u", content="Zu\u0308rich").content == "Zürich"


def test_an_item_does_not_change_with_the_caller_s_dict() -> None:
    metadata = {"deep": {"n": 1}}
    item = MemoryItem(owner_id="u", content="x", metadata=metadata)

    metadata["deep"]["n"] = 2

    assert item.metadata == {"deep": {"n": 1}}


def test_missing_and_empty_fields_mean_the_same() -> None:
    full = line(tags=[], subject="", metadata={}, position=None, access_count=0)

    assert MemoryItem.from_dict(full) == MemoryItem.from_dict(line())
    assert MemoryItem.from_dict(full).to_dict() == {
        **line(),
        "source": {"kind": "user_input", "name": ""},
        "status": "active",
        "tier": "long",
    }


def test_what_the_library_writes_is_what_the_published_schema_allows() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    item = MemoryItem(
        owner_id="u",
        content="x",
        source=Source("user_input", "wechat"),
        timestamp=datetime(2026, 5, 2, tzinfo=timezone.utc),
        embedding=(0.5,),
        metadata={"a": [1]},
        versions=(
            {"version": 1, "content": "y", "replaced_at": "2026-01-01T00:00:00Z"},
        ),
    )

    assert list(validator.iter_errors(item.to_dict())) == []
    assert list(validator.iter_errors({**item.to_dict(), "colour": 1})) != []
    assert set(json.loads(SCHEMA.read_text())["$defs"]["memory"]["properties"]) == {
        "schema_version",
        *MemoryItem.__dataclass_fields__,
    }
