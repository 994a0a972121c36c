"""Limits that are reached, however slowly a machine asks."""

from collections.abc import Callable
from typing import Any

from memory_core import valkey

MOST = 2_000


def spend_all_of(kind: str, key: int | str) -> None:
    """Let far more have been asked than the bucket of the test's Valkey holds."""
    seconds, _ = valkey.client().time()
    spent = {"n": -1e9, "t": seconds}
    valkey.client().hset(f"mneme:rate:{kind}:{key}", mapping=spent)


def until_refused(ask: Callable[[int], Any]) -> list[Any]:
    """Return the answers up to the first 429; the bucket fills again meanwhile."""
    answers = []
    for number in range(MOST):
        answers.append(ask(number))
        if answers[-1].status_code == 429:
            break
    return answers
