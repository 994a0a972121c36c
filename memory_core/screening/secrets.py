"""Secrets in text: found by shape, and by checksum where the issuer puts one."""

import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_REDACTED = "[redacted:"


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret's kind and its place, [start, end) in the raw text."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redaction:
    """The text with its secrets replaced, and the kinds that were there."""

    text: str
    kinds: tuple[str, ...]


def _always(value: str) -> bool:
    return bool(value)


def _github_token(token: str) -> bool:
    """Return whether a token's checksum is right or it looks like a real one.

    The last six base-62 digits of 36 are the CRC32 of the rest (GitHub, 2021).
    """
    body = token.split("_", 1)[1]
    number = zlib.crc32(body[:-6].encode())
    digits = ""
    for _ in range(6):
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return body.endswith(digits) or _looks_random(body)


def _looks_random(value: str) -> bool:
    """Return whether a value reads like a generated key rather than like words."""
    kinds = sum(
        bool(re.search(pattern, value)) for pattern in ("[a-z]", "[A-Z]", r"\d")
    )
    return kinds >= 2 and _entropy(value) >= 3.0


def _looks_like_password(value: str) -> bool:
    """Return whether a value after "password:" is one, not a word of the sentence."""
    if value.startswith(_REDACTED):
        return False
    if re.fullmatch(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", value):
        return False
    has_digit = any(char.isdigit() for char in value)
    has_other = any(not char.isalnum() for char in value.strip(".,;:!?"))
    has_letter = any(char.isalpha() for char in value)
    return (has_digit and (has_letter or len(value) >= 6)) or (has_letter and has_other)


def _entropy(value: str) -> float:
    counts = Counter(value)
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in counts.values())


@dataclass(frozen=True, slots=True)
class _Pattern:
    kind: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool] = _always


_NAME = (
    r"(?:pass(?:word|wd|code|phrase)?|pwd|secret(?:[ _-]?key)?|"
    r"api[ _-]?(?:key|secret|token)|access[ _-]?(?:key|token)|auth[ _-]?token|"
    r"client[ _-]?secret|private[ _-]?key|token|credential)"
)
_NAME_ZH = "(?:密码|口令|密钥|秘钥|令牌|验证码|动态码|支付码|授权码)"
_VALUE = r"[^\s\"'`,;，。；、)）\]】}>]"

_PATTERNS = (
    _Pattern(
        "private_key",
        re.compile(
            r"-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:[\s\S]{0,8000}?-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
    ),
    _Pattern("mneme_token", re.compile(r"\bmnm_[0-9A-Za-z]{32,40}")),
    _Pattern(
        "github_token",
        re.compile(r"\b(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_[0-9A-Za-z_]{40,})"),
        _github_token,
    ),
    _Pattern("gitlab_token", re.compile(r"\bgl(?:pat|ptt|dt|rt)-[0-9A-Za-z_-]{20,}")),
    _Pattern("aws_key", re.compile(r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[0-9A-Z]{16}\b")),
    _Pattern("google_key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}")),
    _Pattern(
        "google_oauth", re.compile(r"\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-\S{20,}")
    ),
    _Pattern(
        "slack_token", re.compile(r"\bxox[abeoprs]-[0-9A-Za-z-]{10,}|\bxapp-\d-\S+")
    ),
    _Pattern("stripe_key", re.compile(r"\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}")),
    _Pattern("anthropic_key", re.compile(r"\bsk-ant-[0-9A-Za-z_-]{20,}")),
    _Pattern(
        "openai_key",
        re.compile(r"\bsk-(?:proj-|svcacct-|admin-)?[0-9A-Za-z_-]{20,}"),
        _looks_random,
    ),
    _Pattern("huggingface_token", re.compile(r"\bhf_[0-9A-Za-z]{30,}")),
    _Pattern("npm_token", re.compile(r"\bnpm_[0-9A-Za-z]{36}\b")),
    _Pattern("pypi_token", re.compile(r"\bpypi-AgE[0-9A-Za-z_-]{40,}")),
    _Pattern("telegram_token", re.compile(r"\b\d{8,10}:AA[0-9A-Za-z_-]{32,35}\b")),
    _Pattern(
        "sendgrid_key", re.compile(r"\bSG\.[0-9A-Za-z_-]{20,}\.[0-9A-Za-z_-]{20,}")
    ),
    _Pattern("alibaba_key", re.compile(r"\bLTAI[0-9A-Za-z]{12,24}\b"), _looks_random),
    _Pattern("tencent_key", re.compile(r"\bAKID[0-9A-Za-z]{28,36}\b")),
    _Pattern(
        "jwt",
        re.compile(r"\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}"),
    ),
    _Pattern(
        "url_password",
        re.compile(
            r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,64}"
            r":[^\s:/@]{3,64}@"
        ),
    ),
    _Pattern(
        "bearer", re.compile(r"\b[Bb]earer\s+[0-9A-Za-z._~+/-]{20,}=*"), _looks_random
    ),
    _Pattern(
        "assignment",
        re.compile(
            rf"(?i:\b(?:\w{{0,30}}[_-])?{_NAME}(?:[_-]\w{{0,20}})?)[\"']?"
            rf"\s{{0,3}}(?:=|:|：|=>)\s{{0,3}}[\"'`]?({_VALUE}{{6,128}})"
        ),
        _looks_like_password,
    ),
    _Pattern(
        "password",
        re.compile(
            rf"(?i:\b{_NAME}\s(?:is|was|are|equals|to)\s(?:now\s|set to\s)?)"
            rf"[\"'`]?({_VALUE}{{6,64}})"
        ),
        _looks_like_password,
    ),
    _Pattern(
        "password",
        re.compile(
            rf"{_NAME_ZH}\s{{0,2}}(?:是|为|改为|改成|重置为|设为|设成|：|:|=)\s{{0,2}}"
            rf"[\"'“「]?([!-~]{{4,64}})"
        ),
        _looks_like_password,
    ),
    _Pattern(
        "seed_phrase",
        re.compile(
            r"(?i:(?:seed|recovery|mnemonic) phrase|助记词)\W{1,4}(?:is\s|是)?\W{0,3}"
            r"((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})"
        ),
    ),
)


def find_secrets(text: str) -> Iterator[Secret]:
    """Yield the secrets in the raw text, in the order of the patterns.

    Where a pattern has a group, only the value in it is the secret.
    """
    for entry in _PATTERNS:
        for match in entry.pattern.finditer(text):
            group = match.lastindex or 0
            if entry.check(match.group(group)):
                yield Secret(entry.kind, match.start(group), match.end(group))


def redact_secrets(text: str) -> Redaction:
    """Return the text with every secret replaced by "[redacted:<kind>]"."""
    found = sorted(find_secrets(text), key=lambda secret: (secret.start, -secret.end))
    parts: list[str] = []
    kinds: list[str] = []
    at = 0
    for secret in found:
        if secret.start < at:
            continue
        parts += [text[at : secret.start], f"{_REDACTED}{secret.kind}]"]
        kinds.append(secret.kind)
        at = secret.end
    parts.append(text[at:])
    return Redaction("".join(parts), tuple(dict.fromkeys(kinds)))
