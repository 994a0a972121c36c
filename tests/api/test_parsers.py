import pytest
from rest_framework.exceptions import ParseError

from api.parsers import DEEPEST, loads


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b"[1, 2]", "not_an_object"),
        (b'"text"', "not_an_object"),
        (b'\xef\xbb\xbf{"a": 1}', "not_json"),
        ('{"a": "ü"}'.encode("latin-1"), "not_utf8"),
        ('{"a": 1}'.encode("utf-16"), "not_utf8"),
        (b'{"a": "\xc0\xaf"}', "not_utf8"),
        (b'{"a": NaN}', "not_finite"),
        (b'{"a": -Infinity}', "not_finite"),
        (b'{"a": 1e999}', "not_finite"),
        (b'{"a": ' + b"9" * 101 + b"}", "long_number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "long_number"),
        (b'{"a": 1, "a": 2}', "duplicate_key"),
        (b'{"a": {"b": 1, "b": 1}}', "duplicate_key"),
        (b'{"a": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", "too_deep"),
        (b'{"a": ' + b"[" * DEEPEST + b"]" * DEEPEST + b"}", "too_deep"),
    ],
)
def test_what_two_parsers_could_read_differently_is_refused(raw: bytes, code: str):
    with pytest.raises(ParseError) as refusal:
        loads(raw)
    assert refusal.value.get_codes() == code


def test_an_ordinary_body_comes_through_unchanged():
    raw = '{"text": "用户喜欢蓝色", "n": 0.5, "list": [1, true, null]}'.encode()
    assert loads(raw) == {"text": "用户喜欢蓝色", "n": 0.5, "list": [1, True, None]}


def test_many_shallow_lists_are_not_taken_for_deep_ones():
    assert len(loads(b'{"a": [' + b"[]," * 99 + b"[]]}")["a"]) == 100
