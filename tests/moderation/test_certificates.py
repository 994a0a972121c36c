import json
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from memory_core.contracts.callers import Actor
from memory_core.erasure.certificate import check
from memory_core.keys import signing
from memory_core.models import AuditEntry
from moderation.actions import certificates
from moderation.models import Certificate, ErasureCase
from tests.factories.certificates import make_facts

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BY = Actor("operator:lin")
pytestmark = pytest.mark.django_db


@pytest.fixture
def case():
    return ErasureCase.objects.create(
        ref="ER-7K3M9Q",
        channel="email",
        created_at=NOW,
        created_by="operator:lin",
        received_on=date(2026, 11, 1),
        due_on=date(2026, 12, 1),
    )


@pytest.fixture
def issue(case):
    def made(kind="interim", at=NOW):
        return certificates.issue(case=case, facts=make_facts(kind), by=BY, now=at)

    return made


def test_a_certificate_is_signed_numbered_and_on_the_record(issue):
    made = Certificate.objects.get(pk=issue().pk)
    assert check(made.document, key=signing.public_key()).is_genuine
    assert made.document["certificate"]["id"] == str(made.pk)
    entry = AuditEntry.objects.get(action="certificate.issue")
    assert entry.details["sha256"] == made.document["integrity"]["sha256"]


def test_a_later_one_replaces_the_one_before(issue):
    first, second = issue(), issue("final", at=NOW + timedelta(days=30))
    first.refresh_from_db()
    assert first.replaced_at == second.issued_at
    assert (second.version, second.replaced_at) == (2, None)
    assert second.document["certificate"]["replaces"] == str(first.pk)
    assert check(first.document).is_genuine


def test_the_issuer_is_named_with_software_and_schema(settings):
    settings.CONTROLLER = "Example GmbH"
    issuer = certificates.issuer()
    assert issuer.controller == "Example GmbH"
    assert any(name.startswith("memory_core.0") for name in issuer.schema)


def verify(tmp_path, document, *options):
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(document))
    call_command("certificate", "verify", "--file", str(file), *options)


def test_the_command_checks_a_file_with_the_issuers_key(issue, tmp_path, capsys):
    document = issue().document
    verify(tmp_path, document)
    pem = tmp_path / "key.pem"
    pem.write_text(signing.public_key_pem())
    verify(tmp_path, document, "--key", str(pem))
    verify(tmp_path, document, "--key", signing.public_key().hex())
    assert capsys.readouterr().out.count("genuine: True") == 3
    with pytest.raises(CommandError, match="other_key"):
        verify(tmp_path, document, "--key", "00" * 32)
    with pytest.raises(CommandError, match="neither"):
        verify(tmp_path, document, "--key", "nothing")
    document["certificate"]["kind"] = "final"
    with pytest.raises(CommandError, match="changed"):
        verify(tmp_path, document)


def test_the_command_says_what_is_no_certificate(tmp_path):
    (tmp_path / "a.json").write_text("{")
    with pytest.raises(CommandError, match="not JSON"):
        call_command("certificate", "verify", "--file", str(tmp_path / "a.json"))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("certificate", "verify", "--file", str(tmp_path / "b.json"))


def test_the_key_is_printed_with_its_fingerprint(capsys):
    call_command("certificate", "key", "--json")
    said = json.loads(capsys.readouterr().out)
    assert bytes.fromhex(said["hex"]) == signing.public_key()
    assert said["pem"].startswith("-----BEGIN PUBLIC KEY-----")
