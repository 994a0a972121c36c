"""What a certificate of erasure is made of: codes, counts, times and digests.

Nothing here may name the person: no name, no address, no owner id, no memory text.
Staff are named by an id and the role in which they acted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from memory_core.config.databases import VERIFY


class CertificateKind(StrEnum):
    """What is certified."""

    INTERIM = "interim"
    FINAL = "final"
    PARTIAL = "partial"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Issuer:
    """Who answers in law, and with which software it was done."""

    controller: str
    contact: str
    dpo: str
    authority: str
    version: str
    schema: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """When what happened; None for what has not."""

    received_on: date
    channel: str
    due_on: date
    extension_reason: str = ""
    told_on: date | None = None
    decided_at: datetime | None = None
    fenced_at: datetime | None = None
    live_erased_at: datetime | None = None
    index_purged_at: datetime | None = None
    backups_gone_at: datetime | None = None
    backups_expected_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who asked and how that was settled; no evidence."""

    requester: str
    method: str
    settled_on: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectDigest:
    """A keyed digest (hex) that stands for one identifier of the person."""

    kind: str
    kid: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What an exception or a hold kept: the letter of Article 17(3) or a hold."""

    ground: str
    count: int
    reason: str = ""
    until: date | None = None
    hold: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreResult:
    """What was found and done in one store; `residue` is None before verification."""

    store: str
    matched: int
    erased: int
    redacted: int
    retained: int
    residue: int | None
    attempts: int
    started_at: datetime | None
    ended_at: datetime | None
    method: str = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """Who had received data and was told to erase it too."""

    name: str
    told_on: date | None
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupFacts:
    """What becomes of the copies in backups."""

    retention_days: int
    expected_on: date | None
    last_drill_at: datetime | None = None
    last_drill_ok: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """What one probe of the verification found."""

    probe: str
    store: str
    count: int
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A member of staff by id, and the role and part in which they acted."""

    staff: str
    role: str
    part: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All of one certificate but its id, its moment and its signature.

    `identifiers` counts what was searched for by kind; `outside` are codes of what no
    eraser reaches; `mentions` counts other people's memories by what became of them.
    """

    kind: CertificateKind
    case_ref: str
    regime: str
    issuer: Issuer
    timeline: Timeline
    identity: Identity
    subject: Sequence[SubjectDigest]
    ground: str
    kept: Sequence[Kept] = ()
    identifiers: Mapping[str, int]
    stores: Sequence[StoreResult] = ()
    mentions: Mapping[str, int]
    recipients: Sequence[Recipient] = ()
    backups: BackupFacts | None = None
    probes: Sequence[ProbeResult] = ()
    verified_at: datetime | None = None
    verified_by: str = VERIFY
    approvals: Sequence[Approval] = ()
    outside: Sequence[str] = ("agent_context", "model_weights", "delivered_copies")
