"""The form of a token: `mnm_`, 32 random base62 characters, 6 of a checksum.

The checksum turns typos and made-up tokens away before the database is asked, and lets
a secret scanner tell a real one from a look-alike.
"""

import secrets
import zlib

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MARK = "mnm_"
BODY_LENGTH = 32
CHECK_LENGTH = 6
PREFIX_LENGTH = 12

SPEAKS = "source:user_input"
DELETES = "delete"
SCOPES = (
    "recall",
    "save",
    DELETES,
    "consolidate",
    "export",
    "import",
    "review",
    "admin",
    SPEAKS,
)


def new_secret() -> str:
    """Return a fresh token secret, 42 characters."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(BODY_LENGTH))
    return MARK + body + _checksum(body)


def is_well_formed(secret: str) -> bool:
    """Return whether mark, length, alphabet and checksum fit."""
    body = secret[len(MARK) : -CHECK_LENGTH]
    return (
        len(secret) == len(MARK) + BODY_LENGTH + CHECK_LENGTH
        and secret.startswith(MARK)
        and all(letter in ALPHABET for letter in body)
        and secret.endswith(_checksum(body))
    )


def prefix_of(secret: str) -> str:
    """Return the part that may be shown and logged."""
    return secret[:PREFIX_LENGTH]


def _checksum(body: str) -> str:
    number, digits = zlib.crc32(MARK.encode() + body.encode()), ""
    for _ in range(CHECK_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
