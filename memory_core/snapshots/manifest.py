"""The first line of a file: what is in it, and checksums of its parts."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory_core.snapshots.lines import MANIFEST, SCHEMA_VERSION, written

LINES_A_PART = 10_000

Manifest = dict[str, Any]
"""`docs/portable-format.md` says what is in it."""


@dataclass(slots=True)
class Tally:
    """Counts and checksums of lines in the order in which they go by."""

    owners: int = 0
    parts: list[dict[str, Any]] = field(default_factory=list)
    _last_owner: str | None = None
    _digest: Any = None

    def add(self, line: bytes, owner_id: str) -> None:
        """Count one line; lines of one owner stand together."""
        if not self.parts or self.parts[-1]["lines"] == LINES_A_PART:
            self._close()
            self.parts.append({"lines": 0, "bytes": 0, "sha256": ""})
            self._digest = hashlib.sha256()
        part = self.parts[-1]
        part["lines"] += 1
        part["bytes"] += len(line)
        self._digest.update(line)
        if owner_id != self._last_owner:
            self.owners += 1
            self._last_owner = owner_id

    def manifest(self, *, at: datetime, embedding_model: str) -> dict[str, Any]:
        """Return the manifest of all that was counted."""
        self._close()
        return {
            "kind": MANIFEST,
            "schema_version": SCHEMA_VERSION,
            "exported_at": written(at),
            "embedding_model": embedding_model,
            "counts": {
                "memories": sum(part["lines"] for part in self.parts),
                "owners": self.owners,
            },
            "parts": self.parts,
        }

    def _close(self) -> None:
        if self.parts and self._digest is not None:
            self.parts[-1]["sha256"] = self._digest.hexdigest()


def first_line(manifest: dict[str, Any]) -> bytes:
    """Return the line of a manifest."""
    return json.dumps(manifest, separators=(",", ":")).encode() + b"\n"


class PartCheck:
    """Compares lines, as they are read, with the checksums of a manifest."""

    def __init__(self, manifest: dict[str, Any] | None) -> None:
        parts = (manifest or {}).get("parts") or []
        self._parts: Iterator[dict[str, Any]] = iter(
            [one for one in parts if isinstance(one, dict)]
        )
        self._number = -1
        self.mismatches: list[int] = []
        self._open()

    def add(self, raw: bytes) -> None:
        """Take one line as it stands in the file."""
        if self._left <= 0:
            return
        self._digest.update(raw)
        self._left -= 1
        if not self._left:
            if self._digest.hexdigest() != self._wanted:
                self.mismatches.append(self._number)
            self._open()

    def end(self) -> list[int]:
        """Return the numbers of parts that differ or are not complete."""
        if self._left > 0:
            self.mismatches.append(self._number)
            self.mismatches += [self._number + 1 + n for n, _ in enumerate(self._parts)]
        return self.mismatches

    def _open(self) -> None:
        part = next(self._parts, None)
        self._digest = hashlib.sha256()
        self._number += 1
        lines = part.get("lines") if part else 0
        self._left = lines if isinstance(lines, int) else 0
        self._wanted = part.get("sha256") if part else None
