import json
import subprocess
import sys
from copy import deepcopy
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import UUID

import pytest

from memory_core.erasure.certificate import AuditHead, build, check, signed
from memory_core.keys import signing
from tests.factories.certificates import make_facts

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SCRIPT = Path(__file__).parents[2] / "docs" / "certificates" / "verify.py"


@pytest.fixture(autouse=True)
def _keys(settings, tmp_path):
    settings.KEYS_DIR = tmp_path / "keys"


def content(**changes):
    return build(
        make_facts(**changes),
        certificate_id=UUID(int=7),
        version=1,
        audit=AuditHead(41, "ab" * 32),
        now=NOW,
    )


def test_it_says_what_was_done_in_each_store():
    (store, *_) = content()["stores"]
    assert store == {
        "store": "memories",
        "matched": 12,
        "erased": 11,
        "redacted": 0,
        "retained": 1,
        "residue": 0,
        "attempts": 1,
        "started_at": "2026-11-20T10:00:00+00:00",
        "ended_at": "2026-11-20T10:01:00+00:00",
        "method": "delete",
    }


def test_dates_digests_and_the_place_in_the_audit_log_are_in_it():
    made = content()
    assert made["request"]["received_on"] == "2026-11-01"
    assert made["request"]["index_purged_at"] == "2026-11-20T10:05:00+00:00"
    assert made["subject"]["digests"][0]["kid"] == "t1"
    assert made["subject"]["canonicalisation"] == 1
    assert made["audit"] == {"position": 41, "chain": "ab" * 32}
    assert made["backups"]["expected_on"] == "2026-12-20"


def test_rights_are_told_when_anything_was_kept_and_not_otherwise():
    assert content()["rights"]["complaint"]
    assert content(kind="final", kept=())["rights"] is None
    assert content(kept=(), kind="refusal")["rights"]["court"]


def test_an_untouched_certificate_holds():
    document = signed(content())
    assert check(document).is_genuine
    assert check(document, key=signing.public_key()).is_genuine
    assert check(json.loads(json.dumps(document))).is_genuine


def changed(path, value):
    document = deepcopy(signed(content()))
    place = document
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("certificate", "stores", 0, "residue"), 3, "changed"),
        (("certificate", "kind"), "final", "changed"),
        (("certificate", "added"), "x", "changed"),
        (("integrity", "sha256"), "0" * 64, "changed"),
        (("integrity", "key_fingerprint"), "0" * 64, "changed"),
        (("integrity", "signature"), "00" * 64, "forged"),
        (("integrity", "signature"), "zz", "malformed"),
        (("integrity", "algorithm"), "none", "malformed"),
        (("certificate", "format"), "other", "malformed"),
        (("certificate",), [], "malformed"),
    ],
)
def test_a_changed_certificate_does_not_hold(path, value, problem):
    assert check(changed(path, value)).problem == problem


@pytest.mark.parametrize("document", [None, [], {}, "text", {"certificate": {}}])
def test_what_is_no_certificate_is_called_malformed(document):
    assert check(document).problem == "malformed"


def test_a_certificate_of_somebody_elses_key_holds_only_for_that_key(
    settings, tmp_path
):
    ours = signing.public_key()
    settings.KEYS_DIR = tmp_path / "theirs"
    document = signed(content())
    assert check(document, key=ours).problem == "other_key"
    assert check(document).fingerprint == signing.fingerprint(signing.public_key())


def run_script(document, tmp_path, *key):
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(file), *key]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_the_script_that_needs_nothing_of_ours_comes_to_the_same_result(tmp_path):
    document = signed(content(controller="墨涅 GmbH & Söhne"))
    key = signing.public_key().hex()
    assert run_script(document, tmp_path, key)[0] == 0
    code, said = run_script(document, tmp_path, "00" * 32)
    assert (code, "another key" in said) == (1, True)
    document["certificate"]["version"] = 2
    code, said = run_script(document, tmp_path, key)
    assert (code, "changed" in said) == (1, True)


def test_dates_and_moments_are_plain_text():
    made = content(kept_until=date(2027, 1, 1))
    assert made["kept"][0]["until"] == "2027-01-01"
