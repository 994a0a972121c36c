import pytest

from memory_core.keys import signing


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.KEYS_DIR = tmp_path


def test_a_signature_holds_for_its_message_and_key_only(settings, tmp_path):
    signature, key = signing.sign(b"erased"), signing.public_key()
    assert signing.is_genuine(b"erased", signature, key)
    assert not signing.is_genuine(b"kept", signature, key)
    assert not signing.is_genuine(b"erased", b"short", key)
    settings.KEYS_DIR = tmp_path / "other"
    assert not signing.is_genuine(b"erased", signature, signing.public_key())


def test_the_key_can_be_handed_over_as_pem():
    pem = signing.public_key_pem().encode()
    assert signing.from_pem(pem) == signing.public_key()
    assert len(signing.fingerprint(signing.public_key())) == 64
