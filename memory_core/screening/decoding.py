"""Decoded views: base64, hex, escapes, entities and the like, bounded.

The fact of encoding is no finding; what comes out is judged like any text.
"""

import base64
import binascii
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

MAX_DEPTH = 3  # layers of encoding
MAX_PIECES = 24  # encoded runs of one text
MAX_DECODED = 16_000  # characters of one run

_BASE64 = re.compile(r"[A-Za-z0-9+/_-](?:[ \t]?[A-Za-z0-9+/_-]|\r?\n(?=\S)){14,}={0,2}")
_BASE32 = re.compile(r"\b[A-Z2-7]{16,}={0,6}")
_BASE85 = re.compile(r"(?<!\S)[!-~]{20,}(?!\S)")
_HEX = re.compile(r"(?:0x)?(?:[0-9a-fA-F]{2}[ :,]?(?:0x|\\x)?){8,}")
_ESCAPES = re.compile(
    r"(?:\\u\{?[0-9a-fA-F]{4,6}\}?|\\x[0-9a-fA-F]{2}|\\U[0-9a-fA-F]{8}|\\[0-7]{3}"
    r"|[uU]\+[0-9a-fA-F]{4,6}[ ,]?)"
)
_ONE_ESCAPE = re.compile(
    r"(?:\\[uUx]\{?|[uU]\+)([0-9a-fA-F]{2,8})\}?[ ,]?|\\([0-7]{3})"
)
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_QUOTED_PRINTABLE = re.compile(r"(?:=[0-9A-F]{2}){3,}")
_BINARY = re.compile(r"(?:[01]{8}[ ,]?){6,}")
_DECIMALS = re.compile(r"(?:\d{2,5}[ ,;]{1,2}){7,}\d{2,5}")
_MORSE = re.compile(r"(?:[.\-]{1,5}[ /]{1,3}){8,}[.\-]{1,5}")
_PRINTABLE_SHARE = 0.9

_MORSE_LETTERS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- "
    "-. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
)
_MORSE_CODE = {code: chr(97 + i) for i, code in enumerate(_MORSE_LETTERS.split(" "))}


def decoded_views(raw: str) -> Iterator[str]:
    """Yield the texts that decode out of `raw`, layer by layer, in place and alone."""
    pending = [(raw, 0)]
    seen = {raw}
    while pending:
        text, depth = pending.pop()
        if depth == MAX_DEPTH:
            continue
        for view in (*_in_place(text), *_runs(text)):
            if view not in seen and len(seen) <= MAX_PIECES:
                seen.add(view)
                pending.append((view, depth + 1))
                yield view


def _in_place(text: str) -> Iterator[str]:
    """Yield the text with escapes, entities or percent codes resolved."""
    if len(_ESCAPES.findall(text)) >= 3:
        yield _ONE_ESCAPE.sub(_escape, text)
    if _PERCENT.search(text):
        yield unquote(text, errors="replace")
    if _ENTITY.search(text):
        yield html.unescape(text)
    if _QUOTED_PRINTABLE.search(text):
        yield unquote(text.replace("=\n", "").replace("=", "%"), errors="replace")


def _runs(text: str) -> Iterator[str]:
    """Yield what single encoded runs of the text say."""
    for pattern, decode in (
        (_BASE64, _from_base64),
        (_BASE32, _from_base32),
        (_HEX, _from_hex),
        (_BINARY, _from_binary),
        (_DECIMALS, _from_decimals),
        (_MORSE, _from_morse),
        (_BASE85, _from_base85),
    ):
        for match in pattern.finditer(text):
            decoded = decode(match.group()[: MAX_DECODED * 2])
            if decoded and _is_text(decoded):
                yield decoded[:MAX_DECODED]


def _is_text(text: str) -> bool:
    """Return whether decoded characters read like text, or like another encoding."""
    good = sum(char.isprintable() or char in "\n\t" for char in text)
    letters = sum(char.isalnum() or char == " " for char in text)
    enough = good >= _PRINTABLE_SHARE * len(text) and "\ufffd" not in text
    return len(text) >= 4 and enough and letters >= 0.6 * len(text)


def _utf8(data: bytes) -> str:
    """Return the bytes as UTF-8, or as UTF-16 if every other byte is zero, or ""."""
    if data[1::2].count(0) > len(data) // 3:
        return data.decode("utf-16-le", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _from_base64(run: str) -> str:
    compact = re.sub(r"\s", "", run).rstrip("=").replace("-", "+").replace("_", "/")
    compact = compact[: len(compact) - (len(compact) % 4 == 1)]
    try:
        return _utf8(base64.b64decode(compact + "=" * (-len(compact) % 4)))
    except binascii.Error:
        return ""


def _from_base32(run: str) -> str:
    compact = run.rstrip("=")
    try:
        return _utf8(base64.b32decode(compact + "=" * (-len(compact) % 8)))
    except binascii.Error:
        return ""


def _from_base85(run: str) -> str:
    for decode in (base64.b85decode, base64.a85decode):
        try:
            return decode(run).decode("utf-8")
        except ValueError:
            continue
    return ""


def _from_hex(run: str) -> str:
    digits = re.sub(r"0x|\\x|[ :,]", "", run)
    return _utf8(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _from_binary(run: str) -> str:
    return _utf8(bytes(int(part, 2) for part in re.findall("[01]{8}", run)))


def _from_decimals(run: str) -> str:
    codes = [int(part) for part in re.findall(r"\d+", run)]
    return "".join(map(chr, codes)) if all(32 <= c < 0xD800 for c in codes) else ""


def _from_morse(run: str) -> str:
    words = re.split(r"\s*/\s*|\s{3,}", run.strip())
    return " ".join(
        "".join(_MORSE_CODE.get(letter, "") for letter in word.split())
        for word in words
    )


def _escape(match: re.Match[str]) -> str:
    code = int(match.group(1), 16) if match.group(1) else int(match.group(2), 8)
    is_character = code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else match.group()
