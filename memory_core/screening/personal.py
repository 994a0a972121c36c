"""Personal data in text: e-mail, phone, identity and bank numbers, zh and en.

Numbers count only with a correct check digit where the scheme has one.
"""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import phonenumbers

_EMAIL = re.compile(
    r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}"
    r"@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}"
)
_DIGITS = re.compile(r"(?<![\w.])\+?\(?\d[\d\s().-]{5,24}[\dXx](?![\w])")
_ID_CARD = re.compile(r"(?<!\d)(\d{6})(\d{4})(\d{2})(\d{2})\d{3}[\dXx](?![\dA-Za-z])")
_CARD = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])")
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}"
    r"|[a-z]{2}\d{2}[a-z0-9]{11,30})(?![A-Za-z0-9])"
)
_SSN = re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")
_IPV4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")
_CN_MOBILE = re.compile(r"(?<!\d)(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)")
_CN_LANDLINE = re.compile(r"(?<!\d)0\d{2,3}[- ]\d{7,8}(?!\d)")
_PASSPORT = re.compile(r"(?:passport|护照)\D{0,12}([A-Z]{1,2}\d{7,8})(?!\d)", re.I)
_PLATE = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]"
    r"[A-HJ-NP-Z][·\s]?[A-HJ-NP-Z0-9]{5,6}(?![A-Za-z0-9])"
)
_SPOKEN_PHONE = re.compile(
    r"(?i:phone|tel|call(?: me)?|mobile|cell|fax|reach me|电话|手机|座机|传真)"
    r"(?i:\s?(?:number|no\.?|号码?|号))?(?i:\s?(?:is|at|on|are|是|为))?\s?[:：]?\s*"
    r"(\+?\(?\d[\d ().x-]{5,20}\d)(?!\d)"
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}")
_BOOK_OR_VERSION = re.compile(r"(?i:isbn|issn|版本号?|version|\bv|书号)\W{0,3}$")
_PHONE_HINT = re.compile(
    r"(?i)phone|call|tel|mobile|cell|fax|number|contact|text|reach|dial|"
    r"电话|手机|号码|联系|致电|拨打|传真|座机"
)
# GB 11643-1999 (ISO 7064 MOD 11-2): weights and check characters of an ID number.
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS = "10X98765432"
_REGIONS = ("US", "GB")


@dataclass(frozen=True, slots=True)
class PersonalItem:
    """One item's kind and place, [start, end) in the raw text."""

    kind: str
    start: int
    end: int


def find_personal(text: str) -> list[PersonalItem]:
    """Return the personal data in the raw text, without overlaps, in order."""
    found: list[PersonalItem] = []
    for item in _candidates(text):
        if all(item.end <= old.start or item.start >= old.end for old in found):
            found.append(item)
    return sorted(found, key=lambda item: item.start)


def personal_kinds(text: str) -> tuple[str, ...]:
    """Return the kinds of personal data in the raw text, sorted."""
    return tuple(sorted({item.kind for item in find_personal(text)}))


def luhn(number: str) -> bool:
    """Return whether the digits satisfy ISO/IEC 7812-1's check digit."""
    digits = [int(char) for char in reversed(number) if char.isdigit()]
    doubled = (d * 2 - 9 if d > 4 else d * 2 for d in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def chinese_id(number: str) -> bool:
    """Return whether an 18-character number has a real date and check character."""
    try:
        date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    total = sum(int(c) * w for c, w in zip(number[:17], _ID_WEIGHTS, strict=True))
    return _ID_CHECKS[total % 11] == number[17].upper()


def iban(text: str) -> bool:
    """Return whether an account number satisfies ISO 13616's MOD 97-10 check."""
    compact = text.replace(" ", "").upper()
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def _candidates(text: str) -> Iterator[PersonalItem]:
    for match in _EMAIL.finditer(text):
        yield PersonalItem("email", *match.span())
    for match in _PLATE.finditer(text):
        yield PersonalItem("plate", *match.span())
    if not any(char.isdigit() for char in text):
        return
    for match in _ID_CARD.finditer(text):
        if chinese_id(match.group()):
            yield PersonalItem("id_card", *match.span())
    for match in _IBAN.finditer(text):
        if iban(match.group()):
            yield PersonalItem("iban", *match.span())
    for match in _CARD.finditer(text):
        varied = len(set(match.group())) > 2
        if varied and luhn(match.group()) and not _is_named_otherwise(text, match):
            yield PersonalItem("bank_card", *match.span())
    for match in _SSN.finditer(text):
        yield PersonalItem("ssn", *match.span())
    for match in _PASSPORT.finditer(text):
        yield PersonalItem("passport", *match.span(1))
    for match in _IPV4.finditer(text):
        if _is_address(match.group()) and not _is_named_otherwise(text, match):
            yield PersonalItem("ip", *match.span())
    yield from _phones(text)


def _is_named_otherwise(text: str, match: re.Match[str]) -> bool:
    """Return whether the words before a number call it a book or a version."""
    return bool(
        _BOOK_OR_VERSION.search(text[max(0, match.start() - 12) : match.start()])
    )


def _is_address(text: str) -> bool:
    try:
        return not ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False


def _phones(text: str) -> Iterator[PersonalItem]:
    for pattern in (_CN_MOBILE, _CN_LANDLINE):
        for match in pattern.finditer(text):
            yield PersonalItem("phone", *match.span())
    for match in _SPOKEN_PHONE.finditer(text):
        if 7 <= sum(char.isdigit() for char in match.group(1)) <= 15:
            yield PersonalItem("phone", *match.span(1))
    hinted = bool(_PHONE_HINT.search(text))
    for match in _DIGITS.finditer(text):
        if not _DATE.match(match.group()) and _is_phone(match.group(), hinted):
            yield PersonalItem("phone", *match.span())


def _is_phone(candidate: str, hinted: bool) -> bool:
    """Return whether a run of digits is a valid number; a bare one needs a hint."""
    count = sum(char.isdigit() for char in candidate)
    if not 7 <= count <= 15:
        return False
    if candidate.startswith("+"):
        return _valid(candidate, None)
    separated = bool(re.search(r"\d[ ().-]+\d", candidate))
    if not (hinted or separated):
        return False
    return any(_valid(candidate, region) for region in _REGIONS)


def _valid(candidate: str, region: str | None) -> bool:
    try:
        number = phonenumbers.parse(candidate, region)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_number(number)
