"""The document that proves an erasure: built from facts, signed, checked by anybody.

It is JSON; its signature is Ed25519 over the RFC 8785 form of the part `certificate`.
Whoever has the public key can check it without this service (`check`, or the script
in docs/certificates).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any
from uuid import UUID

import rfc8785

from memory_core import digests
from memory_core.contracts.certificates import CertificateKind, Facts
from memory_core.keys import canonical, signing

FORMAT = "mneme-erasure-certificate-1"
ALGORITHM = "HMAC-SHA-256 over installation, kind and canonical identifier"
RECOMPUTING = (
    "The person may ask the issuer to compute the digest of an identifier they name "
    "again and compare it with the one above."
)
TOMBSTONE = {
    "exists": True,
    "purpose": "Keeps the person's data from coming back by a write or a restore.",
    "retention": "Until it is lifted; it holds keyed digests only.",
    "lifting": "By a reason and two members of staff, when the person comes back.",
}
BACKUP_MEASURES = {
    "meanwhile": "Backups are not used for anything but a restore of the service.",
    "reapplying": "After a restore nobody is served until all erasures were repeated.",
}
LIMITS = {
    "agent_context": "Text that an agent holds in a running conversation.",
    "model_weights": "What a language model was trained on.",
    "delivered_copies": "Exports, answers and messages that were delivered before.",
}
RIGHTS = {
    "complaint": "A complaint may be lodged with the supervisory authority.",
    "court": "A judicial remedy is available.",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found; `problem` is a code, empty if the certificate holds.

    `malformed`, `changed` (other content than was signed), `forged` (no signature of
    that key), `other_key` (signed, but not with the key that was named).
    """

    problem: str
    fingerprint: str = ""

    @property
    def is_genuine(self) -> bool:
        """Whether content, signature and key hold."""
        return not self.problem


@dataclass(frozen=True, slots=True)
class AuditHead:
    """Where the sealed audit log stood when the certificate was issued."""

    position: int
    chain: str


def build(
    facts: Facts,
    *,
    certificate_id: UUID,
    version: int,
    audit: AuditHead,
    now: datetime,
    replaces: UUID | None = None,
) -> dict[str, Any]:
    """Return the unsigned content: strings, integers, booleans and None only."""
    return {
        "format": FORMAT,
        "id": str(certificate_id),
        "version": version,
        "replaces": str(replaces) if replaces else None,
        "kind": facts.kind.value,
        "issued_at": now.isoformat(),
        "issuer": _plain(facts.issuer) | {"software": "Mneme"},
        "request": {"ref": facts.case_ref, "regime": facts.regime}
        | _plain(facts.timeline),
        "identity": _plain(facts.identity),
        "subject": _subject(facts),
        "ground": facts.ground,
        "kept": _plain(facts.kept),
        "search": {
            "identifiers": dict(facts.identifiers),
            "stores": sorted(one.store for one in facts.stores),
            "outside": list(facts.outside),
        },
        "stores": _plain(facts.stores),
        "mentions": dict(facts.mentions),
        "recipients": _plain(facts.recipients),
        "backups": _plain(facts.backups) | BACKUP_MEASURES if facts.backups else None,
        "tombstone": TOMBSTONE if facts.timeline.fenced_at else None,
        "verification": {
            "at": _plain(facts.verified_at),
            "by": facts.verified_by,
            "probes": _plain(facts.probes),
        },
        "approvals": _plain(facts.approvals),
        "rights": RIGHTS if _leaves_something(facts) else None,
        "limits": {code: LIMITS[code] for code in facts.outside if code in LIMITS},
        "audit": asdict(audit),
    }


def signed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document with the proof that we issued just this content."""
    form = rfc8785.dumps(dict(content))
    key = signing.public_key()
    return {
        "certificate": dict(content),
        "integrity": {
            "canonicalisation": "RFC 8785",
            "sha256": hashlib.sha256(form).hexdigest(),
            "algorithm": "Ed25519",
            "public_key": key.hex(),
            "key_fingerprint": signing.fingerprint(key),
            "signature": signing.sign(form).hex(),
        },
    }


def check(document: object, *, key: bytes | None = None) -> Verdict:
    """Return whether a document holds, by itself and under `key` if one is given.

    Without a key the verdict says only that the content is what its own key signed;
    the fingerprint must then be compared with the one that the issuer publishes.
    """
    try:
        content, proof = document["certificate"], document["integrity"]  # type: ignore[index]
        form = rfc8785.dumps(content)
        named = bytes.fromhex(proof["public_key"])
        signature = bytes.fromhex(proof["signature"])
        written = (proof["sha256"], proof["key_fingerprint"])
        known = content["format"] == FORMAT and proof["algorithm"] == "Ed25519"
    except (KeyError, TypeError, ValueError, RecursionError):
        return Verdict("malformed")
    fingerprint = signing.fingerprint(named)
    if not known:
        return Verdict("malformed")
    if written != (hashlib.sha256(form).hexdigest(), fingerprint):
        return Verdict("changed", fingerprint)
    if not signing.is_genuine(form, signature, named):
        return Verdict("forged", fingerprint)
    return Verdict("" if key in {None, named} else "other_key", fingerprint)


def _subject(facts: Facts) -> dict[str, Any]:
    return {
        "installation": digests.installation(),
        "algorithm": ALGORITHM,
        "canonicalisation": canonical.VERSION,
        "digests": _plain(facts.subject),
        "recomputing": RECOMPUTING,
    }


def _leaves_something(facts: Facts) -> bool:
    return bool(facts.kept) or facts.kind in {
        CertificateKind.PARTIAL,
        CertificateKind.REFUSAL,
    }


def _plain(value: Any) -> Any:
    """Return dataclasses, moments and words of our own as JSON has them."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if hasattr(value, "__dataclass_fields__"):
        return _plain(asdict(value))
    return value
