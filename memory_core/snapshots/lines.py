"""One line of a file and one memory: read with every fault named, written compactly."""

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from memory_core import foreign_json
from memory_core.contracts.enums import SourceKind, Status, Tier
from memory_core.contracts.limits import MOST_ENTITIES, MOST_RELATED, MOST_TAGS
from memory_core.snapshots import values
from memory_core.snapshots.values import BadValue, Check

SCHEMA_VERSION = 1
MANIFEST = "mneme.export"
ESCAPE = b"\\u"
LONGEST_LINE = 4 * 1024 * 1024
MOST_VERSIONS = 1_000
CATEGORIES = (
    "profile",
    "fact",
    "preference",
    "event",
    "task",
    "skill",
    "constraint",
    "temporary",
)
KINDS = tuple(SourceKind.values)
STATUSES = tuple(status.word for status in Status)

_short = values.text(200)
_id = values.text(64, least=1)


class BadLine(Exception):
    """Why a line cannot be taken; `field` is a path, the message quotes nothing."""

    def __init__(self, code: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


Record = dict[str, Any]
"""A checked line: fields by name, times aware, empty ones left out."""


def parse(raw: bytes) -> Record:
    """Return the memory of one line; raises BadLine."""
    return check(load(raw), has_escapes=ESCAPE in raw)


def load(raw: bytes) -> dict[str, Any]:
    """Return the JSON object of one line; raises BadLine.

    Keys that occur twice, NaN and infinite numbers are not JSON here.
    """
    try:
        value = foreign_json.loads(raw.strip(), _DECODER)
    except ValueError:
        raise BadLine("not_json", "the line is not a JSON value in UTF-8") from None
    if not isinstance(value, dict):
        raise BadLine("not_an_object", "a JSON object is meant")
    return value


def is_manifest(value: Mapping[str, Any]) -> bool:
    """Return whether the object is a manifest, and not a memory."""
    return value.get("kind") == MANIFEST


def check(sent: Mapping[str, Any], *, has_escapes: bool = True) -> Record:
    """Return the checked fields of a memory; raises BadLine for the first fault.

    Only a line with escapes can hold what cannot be stored (NUL, lone surrogates).
    """
    version = sent.get("schema_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise BadLine("schema_too_new", "a newer Mneme wrote this", "schema_version")
    for name in sent:
        if name not in FIELDS:
            raise BadLine("unknown_field", "there is no such field", name[:100])
    found: Record = {}
    for name, check_value in FIELDS.items():
        value = sent.get(name)
        if value is None or (value in ("", [], {}) and name != "content"):
            if name in REQUIRED:
                raise BadLine("missing_field", "the field is required", name)
            continue
        found[name] = _checked(name, value, check_value, has_escapes)
    return found


def dump(record: Mapping[str, Any], *, ascii_only: bool = False) -> bytes:
    """Return one line with its end; empty fields are left out."""
    kept = {k: v for k, v in record.items() if v is not None and v not in ("", [], {})}
    line = json.dumps(
        kept,
        ensure_ascii=ascii_only,
        separators=(",", ":"),
        default=_plain,
        allow_nan=False,
    )
    return line.encode("utf-8") + b"\n"


def written(moment: datetime) -> str:
    """Return a time as files have it: UTC, with Z."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _checked(name: str, value: Any, check_value: Check, has_escapes: bool) -> Any:
    try:
        if has_escapes:
            values.refuse_unstorable(value)
        return check_value(value)
    except BadValue as error:
        raise BadLine(error.code, error.message, name) from None


def _version(value: Any) -> int:
    if value != SCHEMA_VERSION or isinstance(value, bool):
        raise BadValue("wrong_type", f"{SCHEMA_VERSION} is meant")
    return SCHEMA_VERSION


def _object(fields: Mapping[str, Check], required: tuple[str, ...], value: Any) -> Any:
    if not isinstance(value, dict):
        raise BadValue("wrong_type", "an object is meant")
    for name in required:
        if name not in value:
            raise BadValue("missing_field", f"{name} is required")
    if unknown := value.keys() - fields.keys():
        raise BadValue("unknown_field", f"{len(unknown)} unknown fields inside")
    return {name: fields[name](one) for name, one in value.items() if one is not None}


_SOURCE = {"kind": values.one_of(KINDS), "name": _short}
_KEPT = {
    "version": values.tally,
    "content": values.text(8_000, least=1),
    "type": values.one_of(CATEGORIES),
    "event": values.text(20),
    "replaced_at": values.moment,
}


def _versions(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise BadValue("wrong_type", "a list is meant")
    if len(value) > MOST_VERSIONS:
        raise BadValue("too_long", f"at most {MOST_VERSIONS} entries")
    required = ("version", "content", "replaced_at")
    return tuple(_object(_KEPT, required, one) for one in value)


FIELDS: dict[str, Check] = {
    "schema_version": _version,
    "memory_id": _id,
    "owner_id": values.text(200, least=1),
    "namespace": values.text(100),
    "type": values.one_of(CATEGORIES),
    "content": values.text(8_000, least=1),
    "source": partial(_object, _SOURCE, ("kind",)),
    "timestamp": values.moment,
    "occurred_at": values.moment,
    "created_at": values.moment,
    "last_accessed_at": values.moment,
    "access_count": values.tally,
    "base_score": values.share,
    "importance": values.share,
    "confidence": values.share,
    "tier": values.one_of(Tier.values),
    "status": values.one_of(STATUSES),
    "subject": _short,
    "entities": values.list_of(values.text(200, least=1), MOST_ENTITIES),
    "tags": values.list_of(values.text(100, least=1), MOST_TAGS),
    "session_id": _short,
    "position": values.count,
    "expire_at": values.moment,
    "external_id": _short,
    "related": values.list_of(_id, MOST_RELATED),
    "supersedes": values.list_of(_id, 1_000),
    "merged_into": _id,
    "versions": _versions,
    "metadata": values.metadata,
    "embedding_model": _short,
    "embedding": values.vector,
}
REQUIRED = (
    "schema_version",
    "owner_id",
    "type",
    "content",
    "source",
    "timestamp",
)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key occurs twice")
    return value


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("not finite")
    return number


def _constant(name: str) -> float:
    raise ValueError(name)


def _plain(value: Any) -> str:
    return written(value) if isinstance(value, datetime) else str(value)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_constant
)
