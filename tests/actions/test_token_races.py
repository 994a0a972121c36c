"""Two people change one token at once: one winner, no deadlock, the log in order."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from memory_core.actions import access, tokens
from memory_core.callers import is_valid
from memory_core.exceptions import TransitionRefused
from memory_core.models import AuditEntry, Token
from tests.factories import make_token
from tests.factories.world import BY

pytestmark = pytest.mark.django_db(transaction=True)


def token_of(secret: str) -> Token:
    return Token.objects.get(prefix=secret[:12])


def together(*calls):
    """Run the calls at once, each on a connection of its own; refusals are results."""
    start = Barrier(len(calls))

    def run(call):
        try:
            start.wait()
            return call()
        except TransitionRefused as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [one.result() for one in [pool.submit(run, call) for call in calls]]


def actions() -> list[str]:
    rows = AuditEntry.objects.filter(action__in=["token.rotate", "token.revoke"])
    return list(rows.order_by("pk").values_list("action", flat=True))


@pytest.mark.parametrize("turn", range(4))
def test_who_is_revoked_while_being_rotated_stays_revoked(turn):
    secret = make_token()
    token, same = token_of(secret), token_of(secret)
    now = timezone.now()
    rotated, _ = together(
        lambda: tokens.rotate(token=token, by=BY, now=now),
        lambda: tokens.revoke(token=same, by=BY, now=now),
    )
    assert not is_valid(token_of(secret), now=timezone.now())
    assert access.authenticate(secret) is None
    if isinstance(rotated, TransitionRefused):
        assert actions() == ["token.revoke"]
        assert Token.objects.count() == 1
    else:
        assert actions() == ["token.rotate", "token.revoke"]
        assert access.authenticate(rotated[0])


def test_a_token_is_rotated_once():
    secret = make_token()
    token, same = token_of(secret), token_of(secret)
    now = timezone.now()
    done = together(
        lambda: tokens.rotate(token=token, by=BY, now=now),
        lambda: tokens.rotate(token=same, by=BY, now=now),
    )
    assert sum(isinstance(one, TransitionRefused) for one in done) == 1
    assert Token.objects.count() == 2


def test_a_revoked_token_is_not_brought_back_by_a_rotation():
    secret = make_token()
    stale = token_of(secret)
    tokens.revoke(token=token_of(secret), by=BY, now=timezone.now())
    with pytest.raises(TransitionRefused):
        tokens.rotate(token=stale, by=BY, now=timezone.now())
    assert access.authenticate(secret) is None
