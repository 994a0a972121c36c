"""Behind a TLS proxy: its word on who calls counts, nobody else's does."""

import http.client
from collections.abc import Iterator

import pytest

from tests.api.buckets import spend_all_of
from tests.api.server import LiveServer, on_test_servers

pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]


def behind_a_proxy(**environment: str) -> Iterator[LiveServer]:
    live = LiveServer({**on_test_servers(), "MNEME_TLS": "1", **environment})
    yield live
    live.stop()


@pytest.fixture
def server(transactional_db: None) -> Iterator[LiveServer]:
    yield from behind_a_proxy()


@pytest.fixture
def directly_open(transactional_db: None) -> Iterator[LiveServer]:
    yield from behind_a_proxy(MNEME_PROXIES="192.0.2.1")


def answer(live: LiveServer, path: str, **headers: str) -> http.client.HTTPResponse:
    wire = live.connect()
    wire.request("GET", path, headers={"Host": "localhost"} | headers)
    found = wire.getresponse()
    found.read()
    wire.close()
    return found


def refused(live: LiveServer, address: str) -> int:
    sent = {
        "Authorization": "Bearer mn_wrong",
        "X-Forwarded-For": address,
        "X-Forwarded-Proto": "https",
    }
    return answer(live, "/v1/me", **sent).status


def test_each_caller_behind_the_proxy_pays_for_itself(server: LiveServer):
    spend_all_of("failure", "203.0.113.5")
    assert refused(server, "203.0.113.5") == 429
    assert refused(server, "203.0.113.6") == 401


def test_nobody_gets_a_new_address_by_writing_one_in_front(server: LiveServer):
    spend_all_of("failure", "203.0.113.7")
    assert refused(server, "198.51.100.1, 203.0.113.7") == 429


def test_who_is_no_proxy_cannot_say_who_it_is(directly_open: LiveServer):
    spend_all_of("failure", "203.0.113.8")
    assert refused(directly_open, "203.0.113.8") == 401
    spend_all_of("failure", "127.0.0.1")
    assert refused(directly_open, "203.0.113.9") == 429


def test_the_console_knows_that_it_is_reached_over_tls(server: LiveServer):
    forwarded = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    page = answer(server, "/accounts/login/", **forwarded)
    assert page.status == 200
    assert "max-age" in page.headers["Strict-Transport-Security"]
    assert all("Secure" in cookie for cookie in page.headers.get_all("Set-Cookie", []))
    assert page.headers.get_all("Set-Cookie")
