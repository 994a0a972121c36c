"""The promise that a repeated request changes nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """An Idempotency-Key of one token, with the digest of the body it came with."""

    token_id: int
    key: str
    body_digest: bytes

    def part(self, number: int) -> "IdempotencyKey":
        """Return the key of one item of a batch."""
        return replace(self, key=f"{self.key}#{number}")


class Replay(Exception):
    """The request was answered before; `answer` holds no text."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        super().__init__("answered before")
        self.answer = answer
