"""Certificates: issued from facts, and the older ones of the request replaced."""

import json
import uuid
from datetime import datetime
from importlib import metadata
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.certificates import Facts, Issuer
from memory_core.erasure import certificate
from memory_core.models import AuditSeal
from moderation.models import Certificate, ErasureCase

LATEST = """
SELECT DISTINCT ON (app) app || '.' || name FROM django_migrations
 WHERE app IN ('memory_core', 'moderation') ORDER BY app, name DESC
"""


def issue(*, case: ErasureCase, facts: Facts, by: Actor, now: datetime) -> Certificate:
    """Return the signed certificate; it replaces the one that stood for the case."""
    with isolation.transaction_for(by):
        ErasureCase.objects.select_for_update().get(pk=case.pk)
        before = Certificate.objects.filter(case=case).order_by("-version").first()
        Certificate.objects.filter(case=case, replaced_at=None).update(replaced_at=now)
        made = Certificate(
            id=uuid.uuid4(),
            case=case,
            kind=facts.kind.value,
            version=before.version + 1 if before else 1,
            issued_at=now,
            issued_by=by.name,
        )
        content = certificate.build(
            facts,
            certificate_id=made.pk,
            version=made.version,
            audit=audit_head(),
            now=now,
            replaces=before.pk if before else None,
        )
        made.document = certificate.signed(content)
        made.save(force_insert=True)
        transaction.on_commit(lambda: _keep(made))
        auditing.record(
            "certificate.issue",
            by=by,
            case=facts.case_ref,
            certificate=str(made.pk),
            kind=made.kind,
            sha256=made.document["integrity"]["sha256"],
        )
    return made


def found(certificate_id: UUID) -> Certificate | None:
    """Return a certificate, None if there never was one of this id.

    One that a restored database does not know is read from its copy; it has no case.
    """
    row = Certificate.objects.filter(pk=certificate_id).first()
    if row is not None:
        return row
    try:
        document = json.loads(_copy_of(certificate_id).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return Certificate(id=certificate_id, document=document)


def issuer() -> Issuer:
    """Return who answers in law, with the software and its schema."""
    with connection.cursor() as cursor:
        cursor.execute(LATEST)
        schema = [name for (name,) in cursor.fetchall()]
    return Issuer(
        controller=settings.CONTROLLER,
        contact=settings.CONTROLLER_CONTACT,
        dpo=settings.DPO,
        authority=settings.AUTHORITY,
        version=metadata.version("mneme"),
        schema=schema,
    )


def audit_head() -> certificate.AuditHead:
    """Return the last sealed position of the audit log and its chain value."""
    seal = AuditSeal.objects.order_by("-position").first()
    if seal is None:
        return certificate.AuditHead(0, "")
    return certificate.AuditHead(seal.position, bytes(seal.chain).hex())


def _keep(made: Certificate) -> None:
    """Copy a certificate outside the database, which a backup may take back."""
    path = _copy_of(made.pk)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(made.document, ensure_ascii=False), encoding="utf-8")
    draft.replace(path)


def _copy_of(certificate_id: UUID) -> Path:
    return Path(settings.LEDGER_DIR) / "certificates" / f"{certificate_id}.json"
