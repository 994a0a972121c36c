import pytest
from rest_framework.exceptions import Throttled

from api import throttling
from api.throttling import Bucket, charge
from memory_core import valkey


@pytest.fixture(params=["shared", "local"])
def where(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Limits in Valkey, and in the process while Valkey rests."""
    monkeypatch.setattr(throttling, "_local", throttling.LocalBuckets())
    monkeypatch.setattr(valkey, "is_resting", lambda: request.param == "local")
    return request.param


def test_a_bucket_holds_two_seconds_and_at_least_200():
    assert Bucket("token", 1, 10).burst == 200
    assert Bucket("token", 1, 500).burst == 1000


def test_a_burst_goes_through_and_the_next_request_is_told_to_wait(where: str):
    charge([Bucket("token", 1, 10, cost=200)])
    with pytest.raises(Throttled) as refusal:
        charge([Bucket("token", 1, 10, cost=50)])
    assert refusal.value.wait == 5


def test_one_key_does_not_pay_for_another(where: str):
    charge([Bucket("token", 1, 10, cost=200)])
    charge([Bucket("token", 2, 10, cost=200)])
    charge([Bucket("namespace", 1, 10, cost=200)])


def test_nothing_is_taken_when_one_of_several_buckets_is_short(where: str):
    full, empty = Bucket("namespace", 1, 10, cost=150), Bucket("namespace", 2, 10, 150)
    charge([empty])
    with pytest.raises(Throttled):
        charge([full, empty])
    charge([full])


def test_the_local_bucket_fills_again_with_time():
    buckets = throttling.LocalBuckets()
    assert buckets.take([Bucket("token", 1, 10, cost=200)], now=0.0) == (0, 0.0)
    assert buckets.take([Bucket("token", 1, 10, cost=10)], now=0.5) == (1, 0.5)
    assert buckets.take([Bucket("token", 1, 10, cost=10)], now=1.0) == (0, 0.0)
