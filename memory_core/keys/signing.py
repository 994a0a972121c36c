"""The installation's Ed25519 key for certificates of erasure."""

import hashlib
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from django.conf import settings

from memory_core.config import keys

NAME = "certificate_key"


def sign(message: bytes) -> bytes:
    """Return the signature, 64 bytes."""
    return _key().sign(message)


def public_key() -> bytes:
    """Return the public key, 32 bytes."""
    return raw(_key().public_key())


def public_key_pem() -> str:
    """Return the public key as people exchange it."""
    pem = (
        _key()
        .public_key()
        .public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
    )
    return pem.decode("ascii")


def fingerprint(key: bytes) -> str:
    """Return SHA-256 of a public key in hex: what a person compares by eye."""
    return hashlib.sha256(key).hexdigest()


def is_genuine(message: bytes, signature: bytes, key: bytes) -> bool:
    """Return whether the holder of the public key (32 bytes) signed the message."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def from_pem(pem: bytes) -> bytes:
    """Return the 32 bytes of an Ed25519 key in PEM; ValueError if it is another."""
    key = serialization.load_pem_public_key(pem)
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("not an Ed25519 key")
    return raw(key)


def raw(key: Ed25519PublicKey) -> bytes:
    """Return the key's 32 bytes."""
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def _key() -> Ed25519PrivateKey:
    seed = keys.load_or_create(Path(settings.KEYS_DIR), NAME)
    return Ed25519PrivateKey.from_private_bytes(seed)
