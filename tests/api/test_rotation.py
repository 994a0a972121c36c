"""A token is rotated while its agent works: nobody is turned away in between."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core.actions import tokens
from memory_core.models import Token
from tests.api.http import request
from tests.api.server import LiveServer
from tests.factories import make_token
from tests.factories.world import BY

pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]
CALLERS = 4
ENDED = 20.0
"""Seconds within which a token that ran out is refused, on a machine that is busy."""


def test_both_tokens_work_in_the_overlap_and_the_old_one_is_dead_after_it():
    old = make_token()
    server = LiveServer()
    stop, seen = threading.Event(), []
    secrets = [old]

    def keep_calling() -> None:
        while not stop.is_set():
            for secret in list(secrets):
                seen.append(request(server, secret, "GET", "/v1/me")[0])

    try:
        with ThreadPoolExecutor(CALLERS) as pool:
            for _ in range(CALLERS):
                pool.submit(keep_calling)
            try:
                _wait_for(seen, 20)
                token = Token.objects.get()
                new, _ = tokens.rotate(token=token, by=BY, now=timezone.now())
                secrets.append(new)
                _wait_for(seen, len(seen) + 40)
            finally:
                stop.set()
        assert set(seen) == {200}
        over = timezone.now() - timedelta(seconds=1)
        Token.objects.filter(pk=token.pk).update(revoked_at=over)  # the hour is over
        end = time.monotonic() + ENDED
        while request(server, old, "GET", "/v1/me")[0] != 401:
            assert time.monotonic() < end
            time.sleep(0.2)
        assert request(server, new, "GET", "/v1/me")[0] == 200
    finally:
        stop.set()
        server.stop()


def _wait_for(seen: list[int], count: int) -> None:
    end = time.monotonic() + 60
    while len(seen) < count:
        assert time.monotonic() < end
        time.sleep(0.05)
