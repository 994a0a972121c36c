"""Facts of a certificate, as a fulfilled request with one hold has them."""

from datetime import UTC, date, datetime
from typing import Any

from memory_core.contracts.certificates import (
    Approval,
    BackupFacts,
    CertificateKind,
    Facts,
    Identity,
    Issuer,
    Kept,
    ProbeResult,
    Recipient,
    StoreResult,
    SubjectDigest,
    Timeline,
)

BEGUN = datetime(2026, 11, 20, 10, tzinfo=UTC)


def make_facts(
    kind: str = "partial",
    controller: str = "Example GmbH",
    case_ref: str = "ER-7K3M9Q",
    kept_until: date | None = None,
    **changes: Any,
) -> Facts:
    """Return facts of one kind; `changes` replace whole fields."""
    values: dict[str, Any] = {
        "kind": CertificateKind(kind),
        "case_ref": case_ref,
        "regime": "gdpr",
        "issuer": Issuer(
            controller=controller,
            contact="privacy@example.com",
            dpo="dpo@example.com",
            authority="Data protection authority",
            version="0.1.0",
            schema=["memory_core.0001_initial"],
        ),
        "timeline": Timeline(
            received_on=date(2026, 11, 1),
            channel="email",
            due_on=date(2026, 12, 1),
            decided_at=datetime(2026, 11, 19, 9, tzinfo=UTC),
            fenced_at=BEGUN,
            live_erased_at=datetime(2026, 11, 20, 10, 2, tzinfo=UTC),
            index_purged_at=datetime(2026, 11, 20, 10, 5, tzinfo=UTC),
            backups_expected_on=date(2026, 12, 20),
        ),
        "identity": Identity(
            requester="subject", method="account", settled_on=date(2026, 11, 2)
        ),
        "subject": [SubjectDigest(kind="owner", kid="t1", digest="ab" * 32)],
        "ground": "17(1)(b)",
        "kept": [Kept(ground="17(3)(e)", count=1, until=kept_until, hold="7")],
        "identifiers": {"owner": 1, "email": 1},
        "stores": [
            StoreResult(
                store="memories",
                matched=12,
                erased=11,
                redacted=0,
                retained=1,
                residue=0,
                attempts=1,
                started_at=BEGUN,
                ended_at=datetime(2026, 11, 20, 10, 1, tzinfo=UTC),
            )
        ],
        "mentions": {"redacted": 2, "kept": 1},
        "recipients": [
            Recipient(name="agent helper", told_on=date(2026, 11, 21), result="done")
        ],
        "backups": BackupFacts(retention_days=30, expected_on=date(2026, 12, 20)),
        "probes": [ProbeResult(probe="by_key", store="memories", count=0)],
        "verified_at": datetime(2026, 11, 20, 10, 2, tzinfo=UTC),
        "approvals": [
            Approval(staff="3", role="compliance", part="prepared"),
            Approval(staff="5", role="admin", part="approved"),
        ],
    }
    return Facts(**(values | changes))
