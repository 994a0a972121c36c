"""Files are read record by record, however large they are."""

import io
import json
from itertools import islice

import pytest

from mneme.errors import InvalidItem
from mneme.move import json_files, records, yaml_files
from mneme.move.reading import csv_records

VALUES = [
    {"text": 'a "quoted" \\ slash, 喜欢茶 😀', "n": [1, 2.5, -3e7, {"deep": [[]]}]},
    {"text": ""},
    {},
    {"n": 10**30, "flags": [True, False, None]},
]


class Endless(io.StringIO):
    """A file that begins with a text and repeats another one for ever."""

    def __init__(self, start, more):
        super().__init__()
        self.start, self.more = start, more
        self.seek(0)

    def seek(self, place, whence=0):
        self.left = self.start
        return 0

    def read(self, size=-1):
        assert size >= 0, "the file is read whole"
        while len(self.left) < size:
            self.left += self.more * (1 + size // len(self.more))
        text, self.left = self.left[:size], self.left[size:]
        return text

    def readline(self, size=-1):
        text = self.read(size)
        line = text[: text.index("\n") + 1] if "\n" in text else text
        self.left = text[len(line) :] + self.left
        return line


def values(text, keys=(), module=json_files):
    return [one.value for one in module.records_in(io.StringIO(text), keys)]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("indent", [None, 2])
def test_values_come_whole_wherever_a_read_ends(monkeypatch, chunk, indent):
    monkeypatch.setattr(json_files, "CHUNK", chunk)
    text = json.dumps(VALUES, ensure_ascii=False, indent=indent)
    assert values(text) == VALUES
    inside = json.dumps(
        {"page": 12345, "data": {"no": [1], "items": VALUES}, "next": 67890},
        indent=indent,
    )
    assert values(inside, ("data.items",)) == VALUES


@pytest.mark.parametrize("chunk", [1, 2, 5])
def test_a_number_is_read_to_its_end(monkeypatch, chunk):
    monkeypatch.setattr(json_files, "CHUNK", chunk)
    raws = [one.raw for one in json_files.records_in(io.StringIO("[1.25e+10, 42]"), ())]
    assert raws == ["1.25e+10", "42"]


def test_several_lists_of_an_object_are_read_in_their_order():
    text = json.dumps({"nodes": [{"a": 1}], "other": [{"b": 2}], "edges": [{"c": 3}]})
    assert values(text, ("edges", "nodes")) == [{"a": 1}, {"c": 3}]


def test_an_object_without_its_list_is_one_entry():
    assert values('{"results": [], "a": 1}', ("results",)) == [{"results": [], "a": 1}]
    assert values('{"a": {"b": 1}}') == [{"a": {"b": 1}}]


@pytest.mark.parametrize(
    ("start", "more", "keys"),
    [
        ("[", '{"text": "tea"},', ()),
        ('{"page": 1, "results": [', '{"text": "tea"}, ', ("results",)),
        ("", '{"text": "tea"}\n', ()),
    ],
)
def test_the_first_entries_are_there_before_the_end_is_read(start, more, keys):
    found = islice(json_files.records_in(Endless(start, more), keys), 3)
    assert [one.value for one in found] == [{"text": "tea"}] * 3


def test_the_first_entries_of_yaml_are_there_before_the_end_is_read():
    file = Endless("rows:\n", "- text: tea\n")
    found = islice(yaml_files.records_in(file, ("rows",)), 3)
    assert [one.value for one in found] == [{"text": "tea"}] * 3


def test_what_stands_before_a_cut_is_read():
    found = list(json_files.records_in(io.StringIO('[{"a": 1}, {"b": 2'), ()))
    assert found[0].value == {"a": 1}
    assert (found[1].line, found[1].error.code) == (2, "not_json")


def test_an_entry_that_never_ends_is_set_aside(monkeypatch):
    monkeypatch.setattr(json_files, "LONGEST", 1_000)
    monkeypatch.setattr(json_files, "CHUNK", 100)
    file = Endless('[{"a": 1}, {"text": "', "x")
    found = list(json_files.records_in(file, ()))
    assert [one.value for one in found] == [{"a": 1}, None]
    assert found[1].error.code == "too_long"
    assert len(found[1].raw) <= records.MAX_RAW


def test_a_line_that_is_too_long_is_set_aside_and_the_next_one_read(monkeypatch):
    monkeypatch.setattr(json_files, "LONGEST", 100)
    text = "\n".join(['{"a": 1}', json.dumps({"text": "x" * 500}), '{"b": 2}'])
    found = list(json_files.records_in(io.StringIO(text), ()))
    assert [(one.line, one.value) for one in found] == [
        (1, {"a": 1}),
        (2, None),
        (3, {"b": 2}),
    ]


def test_a_table_without_line_ends_is_not_read_as_one_line(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("text,owner\n" + '"' + "x" * (records.LONGEST + 10))
    with pytest.raises(InvalidItem, match="field larger"):
        list(csv_records(path, encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "keys", "expected"),
    [
        ("- a: 1\n- b: 2\n", (), [{"a": 1}, {"b": 2}]),
        ("page: 3\nrows:\n- a: 1\nend: x\n", ("rows",), [{"a": 1}]),
        ("data:\n  skip: [1]\n  rows:\n  - a: 1\n", ("data.rows",), [{"a": 1}]),
        ("a: 1\n", ("rows",), [{"a": 1}]),
        ("", (), [None]),
        ("- &one {a: 1}\n- *one\n", (), [{"a": 1}, {"a": 1}]),
        ("'': 1\nrows:\n- a: 1\n", ("rows",), [{"a": 1}]),
    ],
)
def test_yaml_is_read_entry_by_entry(text, keys, expected):
    assert values(text, keys, yaml_files) == expected


def test_one_large_value_of_yaml_is_not_read_whole(monkeypatch):
    monkeypatch.setattr(yaml_files, "LONGEST", 20)
    with pytest.raises(InvalidItem, match="characters"):
        values("text: this is no list but one large value\n", (), yaml_files)
