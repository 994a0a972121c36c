"""One form for each way to write the same identifier, before it is digested.

A digest says nothing about a similar one, so what counts as the same must be decided
first. A change of these rules is a new VERSION.
"""

import re
import unicodedata
from collections.abc import Callable

import phonenumbers

VERSION = 1
KINDS = ("owner", "email", "phone", "name")

_EMAIL = re.compile(r"[^\s@]{1,64}@[^\s@]+\.[^\s@]+")
_PHONE = re.compile(r"(?:\+|00)?[\d\s().-]{7,25}")
_CHINESE_MOBILE = re.compile(r"1[3-9]\d{9}")
_GOOGLE = {"gmail.com", "googlemail.com"}


def canonical(kind: str, identifier: str) -> str:
    """Return the one form of an identifier; KeyError for an unknown kind."""
    return _RULES[kind](unicodedata.normalize("NFC", identifier))


def readings(owner_id: str) -> list[tuple[str, str]]:
    """Return `(kind, canonical form)` for all that an owner id may be.

    Many services use the e-mail address or the telephone number as the owner id.
    """
    found = [("owner", canonical("owner", owner_id))]
    if "@" in owner_id:
        if _EMAIL.fullmatch(owner_id):
            found.append(("email", canonical("email", owner_id)))
    elif _PHONE.fullmatch(owner_id):
        number = canonical("phone", owner_id)
        if number.startswith("+"):
            found.append(("phone", number))
    return found


def _owner(identifier: str) -> str:
    """An owner id is the caller's own: case and spaces in it may tell two people."""
    return identifier


def _email(identifier: str) -> str:
    """Lower case, no plus tag, the domain in ASCII; Google's mail ignores dots."""
    local, _, domain = unicodedata.normalize("NFKC", identifier).strip().rpartition("@")
    local, domain = local.casefold(), _ascii(domain.casefold().rstrip("."))
    local = local.split("+", 1)[0] or local
    if domain in _GOOGLE:
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def _phone(identifier: str) -> str:
    """E.164 where the country is known: by +, by 00, or a Chinese mobile number."""
    text = unicodedata.normalize("NFKC", identifier).strip()
    digits = re.sub(r"\D", "", text)
    if text.startswith("+"):
        international = f"+{digits}"
    elif digits.startswith("00"):
        international = f"+{digits[2:]}"
    elif _CHINESE_MOBILE.fullmatch(digits):
        international = f"+86{digits}"
    else:
        return digits
    try:
        number = phonenumbers.parse(international, None)
    except phonenumbers.NumberParseException:
        return digits
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _name(identifier: str) -> str:
    """Letters in one case and width, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", identifier).casefold().split())


def _ascii(domain: str) -> str:
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain


_RULES: dict[str, Callable[[str], str]] = {
    "owner": _owner,
    "email": _email,
    "phone": _phone,
    "name": _name,
}
