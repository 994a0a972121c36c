import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

ROWS = [
    {"a": "I like tea", "b": "i like tea.", "relation": "duplicate"},
    {"a": "I love Chinese food", "b": "I hate Chinese food", "relation": "update"},
    {"a": "I like tea", "b": "My dad likes tea", "relation": "distinct"},
]


@pytest.fixture
def data(tmp_path):
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return file


def test_a_report_prints_one_document_and_writes_a_verdict_a_line(data, tmp_path):
    out, rows = StringIO(), tmp_path / "rows.jsonl"
    call_command("pairs", "report", data=data, rows=rows, json=True, stdout=out)
    answer = json.loads(out.getvalue())
    assert answer["pairs"] == 3
    assert answer["verdicts"]["supersede"]["supersede"] == 1
    assert answer["supersede"]["curve"]
    written = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [row["line"] for row in written] == [1, 2, 3]
    assert [row["verdict"] for row in written] == ["duplicate", "supersede", "distinct"]
    assert all(0 <= row["p"] <= 1 for row in written)


def test_a_bad_line_fails_with_its_number(data):
    data.write_text('{"a": "x", "b": "y", "relation": "cousin"}', encoding="utf-8")
    with pytest.raises(CommandError, match=":1"):
        call_command("pairs", "report", data=data)


def test_a_missing_file_fails(tmp_path):
    with pytest.raises(CommandError):
        call_command("pairs", "report", data=tmp_path / "none.jsonl")
