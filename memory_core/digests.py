"""Keyed digests: what may stand for a text or a person where neither may be stored.

A plain hash of a telephone number can be guessed back; without the installation's key
these cannot.
"""

import hashlib
import hmac

from django.conf import settings


def keyed(purpose: str, value: str) -> bytes:
    """Return HMAC-SHA-256 over `purpose` and `value`, 32 bytes."""
    message = purpose.encode() + b"\x00" + value.encode("utf-8", "surrogatepass")
    return hmac.new(settings.DIGEST_KEY, message, hashlib.sha256).digest()


def installation() -> str:
    """Return the id of this installation, 32 hex digits."""
    return keyed("installation", "").hex()[:32]


def of_owner(owner_id: str) -> bytes:
    """Return the digest that stands for an owner in the audit log."""
    return keyed("owner", owner_id)


def of_content(content: str) -> bytes:
    """Return the digest of a memory's exact text."""
    return keyed("content", content)


def of_text(folded: str) -> bytes:
    """Return the digest by which equal texts are found (of the folded text)."""
    return keyed("text", folded)
