"""The part of the audit log that no database role can reach.

Sealed entries are appended to `segments.jsonl`, the head of the chain to
`anchors.jsonl` with an Ed25519 signature. A chain alone cannot show that its end was
cut off or that all of it was made anew; a signed head elsewhere can.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from memory_core.auditing.canonical import DOMAIN
from memory_core.config import keys

ANCHORS = "anchors.jsonl"
SEGMENTS = "segments.jsonl"


@dataclass(frozen=True, slots=True)
class Anchor:
    """The head of the chain at one moment, signed."""

    position: int
    chain: str
    at: str
    signature: str

    @property
    def message(self) -> bytes:
        """The bytes that are signed."""
        return b"\x00".join(
            [DOMAIN, str(self.position).encode(), self.chain.encode(), self.at.encode()]
        )

    def is_genuine(self) -> bool:
        """Return whether this installation signed it."""
        try:
            _key().public_key().verify(bytes.fromhex(self.signature), self.message)
        except (InvalidSignature, ValueError):
            return False
        return True


def put(position: int, chain: bytes, *, now: datetime) -> Anchor:
    """Sign the head, append it to the anchors and return it; OSError if it cannot."""
    draft = Anchor(position, chain.hex(), now.isoformat(), "")
    signature = _key().sign(draft.message).hex()
    anchor = Anchor(draft.position, draft.chain, draft.at, signature)
    _append(ANCHORS, [asdict(anchor)])
    return anchor


def copy(rows: Iterable[dict[str, object]]) -> None:
    """Append sealed entries to the copy outside the database."""
    _append(SEGMENTS, rows)


def stored() -> Iterator[Anchor | None]:
    """Yield the anchors in order, None for a line that is not one."""
    path = _folder() / ANCHORS
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            try:
                yield Anchor(**json.loads(line))
            except (ValueError, TypeError):
                yield None


def last_copied() -> int:
    """Return the position up to which entries were copied outside, 0 for none."""
    return int(last_copy().get("position", 0))


def last_copy() -> dict[str, Any]:
    """Return the last entry that was copied outside, empty for none."""
    path = _folder() / SEGMENTS
    if not path.exists() or not path.stat().st_size:
        return {}
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 65536))
        lines = [line for line in file.read().split(b"\n") if line.endswith(b"}")]
    last: dict[str, Any] = json.loads(lines[-1]) if lines else {}
    return last


def copied_after(position: int) -> Iterator[dict[str, Any]]:
    """Yield the copied entries after a position, in order and each once."""
    path = _folder() / SEGMENTS
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line) if line.endswith("}\n") else {}
            if row.get("position", 0) > position:
                position = row["position"]
                yield row


def _append(name: str, rows: Iterable[object]) -> None:
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / name).open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=True) + "\n" for row in rows)


def _folder() -> Path:
    return Path(settings.AUDIT_DIR)


def _key() -> Ed25519PrivateKey:
    seed = keys.load_or_create(Path(settings.KEYS_DIR), "audit_key")
    return Ed25519PrivateKey.from_private_bytes(seed)
