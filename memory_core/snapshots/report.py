"""What an import tells: counts, bad lines, in a dry run the changes."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from memory_core.screening import redact_secrets

MOST_NAMED = 1_000


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a line stays outside; the message quotes nothing of it."""

    line: int
    code: str
    message: str
    field: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            "line": self.line,
            "code": self.code,
            "message": self.message,
            "field": self.field,
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a line, or would: added, updated, unchanged.

    `fields` names what an update changes; a held one waits for a person.
    """

    line: int
    event: str
    memory_id: UUID
    is_held: bool = False
    fields: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            "line": self.line,
            "event": self.event,
            "memory_id": str(self.memory_id),
            "held": self.is_held,
            "fields": list(self.fields),
        }


@dataclass(slots=True)
class Report:
    """The sum of an import so far."""

    dry_run: bool = False
    lines: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    held: int = 0
    refused: int = 0
    links_dropped: int = 0
    faults: int = 0
    quarantined: list[Fault] = field(default_factory=list)
    changes: list[Outcome] = field(default_factory=list)
    checksum_mismatches: list[int] = field(default_factory=list)
    checked: Mapping[str, int] = field(default_factory=dict)
    quarantine_file: str = ""

    def count(self, outcome: Outcome) -> None:
        """Add what became of one line."""
        setattr(self, outcome.event, getattr(self, outcome.event) + 1)
        self.held += outcome.is_held
        is_news = self.dry_run and outcome.event != "unchanged"
        if is_news and len(self.changes) < MOST_NAMED:
            self.changes.append(outcome)

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> "Report":
        """Return the report that `to_dict` has described."""
        report = cls(**{name: kept[name] for name in _COUNTS})
        report.quarantined = [Fault(**fault) for fault in kept["quarantined"]]
        report.faults = kept["quarantined_total"]
        report.checksum_mismatches = list(kept["checksum_mismatch"])
        report.checked = kept["checked"]
        report.quarantine_file = kept.get("quarantine_file", "")
        report.changes = [_outcome(one) for one in kept.get("changes", ())]
        return report

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        answer: dict[str, Any] = {
            "dry_run": self.dry_run,
            "lines": self.lines,
            "added": self.added,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "held": self.held,
            "refused": self.refused,
            "links_dropped": self.links_dropped,
            "quarantined": [fault.to_dict() for fault in self.quarantined],
            "quarantined_total": self.faults,
            "checksum_mismatch": self.checksum_mismatches,
            "checked": dict(self.checked),
        }
        if self.quarantine_file:
            answer["quarantine_file"] = self.quarantine_file
        if self.dry_run:
            answer["changes"] = [outcome.to_dict() for outcome in self.changes]
        return answer


_COUNTS = (
    *("dry_run", "lines", "added", "updated", "unchanged", "held", "refused"),
    "links_dropped",
)


def _outcome(kept: Mapping[str, Any]) -> Outcome:
    return Outcome(
        kept["line"],
        kept["event"],
        UUID(kept["memory_id"]),
        kept["held"],
        tuple(kept["fields"]),
    )


class Quarantine:
    """The file of bad lines, made when the first one comes; only its owner reads it.

    What stands in it behind `size` is of a batch that was cut off, and dropped.
    """

    def __init__(self, path: Path | None, *, size: int = 0) -> None:
        self.path = path
        self._file: IO[str] | None = None
        if path and path.exists():
            os.truncate(path, size)

    def settle(self) -> int:
        """Write out what was put aside so far; return its size in bytes."""
        if self._file:
            self._file.flush()
        return self.path.stat().st_size if self.path and self.path.exists() else 0

    def keep(self, fault: Fault, raw: bytes) -> None:
        """Write a bad line down with its reason."""
        if self.path is None:
            return
        if self._file is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.touch(mode=0o600)
            self._file = self.path.open("a", encoding="utf-8")
        text = redact_secrets(raw.decode("utf-8", "replace").strip()).text
        row = fault.to_dict() | {"raw": text}
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> str:
        """Return the name of the file, empty if no line was bad."""
        if self._file:
            self._file.close()
            self._file = None
        return self.path.name if self.path and self.path.exists() else ""
