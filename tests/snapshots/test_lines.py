import json

import pytest
from jsonschema import Draft202012Validator

from memory_core.snapshots.lines import FIELDS, BadLine, check, dump, load, parse
from tests.snapshots.conftest import line


def raw(**fields):
    return json.dumps(line(**fields)).encode()


@pytest.mark.parametrize(
    ("sent", "code", "field"),
    [
        (b"{", "not_json", ""),
        (b"\xff{}", "not_json", ""),
        (b'{"a": 1, "a": 2}', "not_json", ""),
        (b'{"a": NaN}', "not_json", ""),
        (b'{"a": 1e999}', "not_json", ""),
        (b"[" * 100_000, "not_json", ""),
        (b"[]", "not_an_object", ""),
        (raw(colour="blue"), "unknown_field", "colour"),
        (raw(owner_id=""), "missing_field", "owner_id"),
        (raw(owner_id=7), "wrong_type", "owner_id"),
        (raw(importance=True), "wrong_type", "importance"),
        (raw(importance=1.5), "out_of_range", "importance"),
        (raw(position=-1), "out_of_range", "position"),
        (raw(type="mood"), "out_of_range", "type"),
        (raw(content="x" * 8001), "too_long", "content"),
        (raw(content="  "), "out_of_range", "content"),
        (raw(content="a\x00b"), "unstorable_text", "content"),
        (raw(metadata={"a": ["\ud800"]}), "unstorable_text", "metadata"),
        (raw(timestamp="2026-03-01T10:00:00"), "time_without_offset", "timestamp"),
        (raw(timestamp="yesterday"), "bad_time", "timestamp"),
        (raw(timestamp="2026-03-01"), "bad_time", "timestamp"),
        (raw(schema_version=2), "schema_too_new", "schema_version"),
        (raw(schema_version="1"), "wrong_type", "schema_version"),
        (raw(source={"kind": "user_input", "trust": "x"}), "unknown_field", "source"),
        (raw(source={"name": "chat"}), "missing_field", "source"),
        (raw(tags=["x"] * 51), "too_long", "tags"),
        (raw(embedding=["x"]), "wrong_type", "embedding"),
        (raw(embedding=[True]), "wrong_type", "embedding"),
        (raw(embedding=[1e300]), "out_of_range", "embedding"),
        (raw(embedding=[10**400]), "out_of_range", "embedding"),
        (raw(metadata={"a": "x" * 20_000}), "too_long", "metadata"),
    ],
)
def test_a_bad_line_is_named_by_code_and_field(sent, code, field):
    with pytest.raises(BadLine) as caught:
        parse(sent)
    assert (caught.value.code, caught.value.field) == (code, field)


def test_an_offset_is_converted_and_empty_fields_are_none():
    record = check(line(timestamp="2026-03-01T18:00:00+08:00", tags=[], subject=None))
    assert record["timestamp"].isoformat() == "2026-03-01T10:00:00+00:00"
    assert "tags" not in record
    assert "subject" not in record


def test_what_is_written_can_be_read_and_is_ascii_on_request():
    record = check(line("我喜欢蓝色", tags=["颜色"]))
    for ascii_only in (False, True):
        written = dump(record, ascii_only=ascii_only)
        assert check(load(written)) == record
        assert written.isascii() is ascii_only
        assert written.endswith(b"\n")


def test_the_fields_are_those_of_the_schema():
    schema = json.loads(_schema())
    assert set(FIELDS) == set(schema["$defs"]["memory"]["properties"])
    Draft202012Validator(schema).validate(json.loads(dump(check(line()))))


def _schema():
    from pathlib import Path

    return Path("docs/portable-format.schema.json").read_text()
