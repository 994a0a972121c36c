"""Check a certificate of erasure without Mneme: verify.py FILE [PUBLIC_KEY_HEX].

Needs Python 3.9 and the package `cryptography`. The signed form is RFC 8785: for the
strings, whole numbers and ASCII names of a certificate, Python's sorted compact JSON.
"""

import hashlib
import json
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def main(file: str, expected_key: str = "") -> str:
    document = json.loads(Path(file).read_text(encoding="utf-8"))
    content, proof = document["certificate"], document["integrity"]
    form = json.dumps(
        content, sort_keys=True, ensure_ascii=False, separators=(",", ":")
    ).encode()
    if hashlib.sha256(form).hexdigest() != proof["sha256"]:
        return "NOT VALID: the content was changed"
    key = bytes.fromhex(proof["public_key"])
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(
            bytes.fromhex(proof["signature"]), form
        )
    except InvalidSignature:
        return "NOT VALID: the signature is forged"
    if expected_key and bytes.fromhex(expected_key) != key:
        return "NOT VALID: signed with another key"
    print("key fingerprint", hashlib.sha256(key).hexdigest())
    return ""


if __name__ == "__main__":
    problem = main(*sys.argv[1:3])
    print(problem or "VALID")
    sys.exit(bool(problem))
