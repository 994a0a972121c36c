"""One byte string for one entry: what the hash chain is made over.

Every field is length-prefixed, so that no two different entries share a form.
"""

import hashlib
import json
from datetime import UTC

from memory_core.models import AuditEntry

DOMAIN = b"mneme-audit-v1"
GENESIS = hashlib.sha256(DOMAIN + b"\x00genesis").digest()


def fields(entry: AuditEntry) -> dict[str, object]:
    """Return the entry as plain values, as it is copied outside the database."""
    return {
        "id": entry.pk,
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": entry.actor,
        "actor_token": entry.actor_token,
        "action": entry.action,
        "outcome": entry.outcome,
        "namespace": entry.namespace,
        "memory_id": str(entry.memory_id or ""),
        "owner_digest": bytes(entry.owner_digest).hex(),
        "content_digest": bytes(entry.content_digest).hex(),
        "request_id": entry.request_id,
        "details": json.dumps(
            entry.details, sort_keys=True, ensure_ascii=True, separators=(",", ":")
        ),
    }


def link(previous: bytes, position: int, entry: AuditEntry) -> bytes:
    """Return the chain value of `entry` at `position`, 32 bytes of SHA-256."""
    digest = hashlib.sha256(DOMAIN)
    for part in (previous, str(position).encode(), *_parts(entry)):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()


def _parts(entry: AuditEntry) -> list[bytes]:
    return [
        part
        for name, value in fields(entry).items()
        for part in (name.encode(), str(value).encode("utf-8", "surrogatepass"))
    ]
