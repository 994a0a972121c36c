from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rest_framework.exceptions import ValidationError

from api.serializers import fields
from api.serializers.base import validated
from api.serializers.memories import SaveInput
from api.serializers.recall import RecallInput


def codes(field: Any, value: Any) -> Any:
    with pytest.raises(ValidationError) as refusal:
        field.run_validation(value)
    return refusal.value.get_codes()


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("a\x00b", "null_characters_not_allowed"),
        ("a\ud800", "surrogate_characters_not_allowed"),
        (7, "invalid"),
        (True, "invalid"),
        (None, "null"),
        (["a"], "invalid"),
        ("", "blank"),
        (" \n\u3000", "nothing_visible"),
        ("\u0301\u0302", "nothing_visible"),
        ("\u200b\u200d", "nothing_visible"),
        ("x" * 11, "max_length"),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused(value: Any, code: str):
    assert code in codes(fields.Text(visible=True, max_length=10), value)


def test_a_text_is_counted_after_normalisation():
    assert fields.Text(max_length=1).run_validation("e\u0301") == "é"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00+08:00", datetime(2026, 3, 1, 1, 30, tzinfo=UTC)),
        ("2026-03-01 09:30+0800", datetime(2026, 3, 1, 1, 30, tzinfo=UTC)),
        (
            "2026-03-01T09:30:00.1234567Z",
            datetime(2026, 3, 1, 9, 30, 0, 123456, tzinfo=UTC),
        ),
    ],
)
def test_a_time_with_an_offset_becomes_utc(sent: str, kept: datetime):
    assert fields.Moment().run_validation(sent) == kept


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("2026-03-01T09:30:00", "naive"),
        ("2026-03-01", "invalid"),
        ("0000-00-00T00:00:00Z", "invalid"),
        ("10000-01-01T00:00:00Z", "invalid"),
        ("2026-02-30T00:00:00Z", "invalid"),
        ("2026-06-30T23:59:60Z", "invalid"),
        ("2026-03-01T09:30:00+25:00", "invalid"),
        ("2026-03-01T09:30:00+25:61", "invalid"),
        ("0001-01-01T00:00:00+14:00", "invalid"),
        ("２０２６-03-01T09:30:00Z", "invalid"),
        (1772357400, "invalid"),
        (True, "invalid"),
    ],
)
def test_a_time_that_means_nothing_certain_is_refused(sent: Any, code: str):
    assert codes(fields.Moment(), sent) == [code]


def test_what_was_learned_cannot_lie_in_the_future():
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert codes(fields.Moment(past=True), tomorrow.isoformat()) == ["in_the_future"]


def test_a_clock_that_is_a_little_ahead_is_set_back_to_now():
    ahead = datetime.now(UTC) + timedelta(seconds=30)
    kept = fields.Moment(past=True).run_validation(ahead.isoformat())
    assert kept < ahead


@pytest.mark.parametrize("value", ["0.5", True, None, [], 10**400, -0.1, 1.1])
def test_a_share_is_a_number_from_0_to_1(value: Any):
    assert codes(fields.Share(), value)


@pytest.mark.parametrize("value", [0, -1, 101, 10**9, 1.5, "5", True, 2**70])
def test_top_k_is_a_whole_number_from_1_to_100(value: Any):
    body = {"owner_id": "u", "query": "q", "top_k": value}
    with pytest.raises(ValidationError):
        validated(RecallInput, body)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([], "invalid"),
        ("{}", "invalid"),
        ({"a": "\x00"}, "unstorable"),
        ({"\ud800": 1}, "unstorable"),
        ({"a": 2**63}, "unstorable"),
        ({"a": 1e308}, "unstorable"),
        ({"a": "x" * 20_000}, "too_large"),
        ({"a": [[[[[[[[[1]]]]]]]]]}, "too_deep"),
    ],
)
def test_metadata_is_a_bounded_object_that_can_be_stored(value: Any, code: str):
    assert codes(fields.Metadata(), value) == [code]


def test_every_fault_of_a_body_is_named_at_once():
    body = {"owner_id": " u ", "content": 5, "catgory": "fact", "source": {"kind": "x"}}
    with pytest.raises(ValidationError) as refusal:
        validated(SaveInput, body)
    assert refusal.value.get_codes() == {
        "owner_id": ["space_around"],
        "content": ["invalid"],
        "source": {"kind": ["invalid_choice"]},
        "catgory": ["unknown_field"],
    }


@pytest.mark.parametrize(
    "name",
    [
        "status",
        "trust",
        "score",
        "created_at",
        "embedding",
        "approved_by",
        "owner",
        "id",
    ],
)
def test_what_the_service_decides_cannot_be_sent(name: str):
    body = {"owner_id": "u", "content": "c", name: 1}
    with pytest.raises(ValidationError) as refusal:
        validated(SaveInput, body)
    assert refusal.value.get_codes() == {name: ["unknown_field"]}


@pytest.mark.parametrize("name", ["category__regex", "owner__external_id", "q"])
def test_a_filter_knows_its_own_words_only(name: str):
    body = {"owner_id": "u", "query": "q", "filter": {name: "x"}}
    with pytest.raises(ValidationError) as refusal:
        validated(RecallInput, body)
    assert refusal.value.get_codes() == {"filter": {name: ["unknown_field"]}}
