"""Everything that a token may read, as one file: ordered, fetched part by part.

The service writes a snapshot that does not change while it is fetched. Each part is
checked against its checksum and kept beside the file until all are there, so that the
same command goes on after an interruption on either side.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mneme.errors import NotFound, Unavailable
from mneme.transport import Params, Transport, segment

ATTEMPTS = 5  # at one part, before the command gives up and may be called again
WAIT = 1.0  # seconds between two looks at a snapshot that is being written
ENDED = ("failed", "cancelled")


class Fetch:
    """The download of one snapshot into a file."""

    def __init__(
        self,
        http: Transport,
        to: Path,
        wanted: Mapping[str, Any],
        *,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = http
        self._to = to
        self._wanted = dict(wanted)
        self._pause = pause
        self._folder = to.with_name(f"{to.name}.parts")

    def run(self) -> dict[str, Any]:
        """Write the file and return the counts of its manifest.

        Raises `Unavailable` when it has to be called again later.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        snapshot_id = self._ordered()
        snapshot = self._finished(snapshot_id)
        content = f"/v1/snapshots/{segment(snapshot_id)}/content"
        for number, part in enumerate(snapshot["parts"]):
            self._fetch_part(content, number, part)
        self._put_together(content, len(snapshot["parts"]))
        return dict(snapshot["counts"])

    def _ordered(self) -> str:
        """Return the snapshot's id: the one of an earlier call if it was the same."""
        note = self._folder / "order.json"
        try:
            kept = json.loads(note.read_text())
            if kept["wanted"] == self._wanted and self._is_there(kept["snapshot_id"]):
                return str(kept["snapshot_id"])
        except (FileNotFoundError, ValueError, KeyError):
            pass
        for old in self._folder.glob("*"):
            old.unlink()
        made = self._http.call(
            "POST", "/v1/snapshots", body=self._wanted, repeatable=False
        )
        kept = {"wanted": self._wanted, "snapshot_id": made["snapshot_id"]}
        _write(note, json.dumps(kept).encode())
        return str(made["snapshot_id"])

    def _is_there(self, snapshot_id: str) -> bool:
        try:
            state = self._look(snapshot_id)["state"]
        except NotFound:
            return False
        return state not in ENDED

    def _look(self, snapshot_id: str) -> dict[str, Any]:
        path = f"/v1/snapshots/{segment(snapshot_id)}"
        return self._http.call("GET", path, repeatable=True)

    def _finished(self, snapshot_id: str) -> dict[str, Any]:
        while (snapshot := self._look(snapshot_id))["state"] != "done":
            if snapshot["state"] in ENDED:
                raise Unavailable(f"the snapshot was {snapshot['state']}")
            self._pause(WAIT)
        return snapshot

    def _fetch_part(self, content: str, number: int, part: Mapping[str, Any]) -> None:
        path = self._folder / f"{number:06d}"
        if path.exists() and _sha256(path) == part["sha256"]:
            return
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._stream_part(content, number, path)
                if _sha256(path) == part["sha256"]:
                    return
                error = Unavailable(f"part {number} came with another checksum")
            except Unavailable as unavailable:
                error = unavailable
            if attempt == ATTEMPTS:
                raise error
            self._pause(WAIT * attempt)

    def _stream_part(self, content: str, number: int, path: Path) -> None:
        waiting = path.with_suffix(".new")
        params: Params = [("part", number)]
        with (
            self._http.stream_bytes(content, params) as pieces,
            waiting.open("wb") as file,
        ):
            file.writelines(pieces)
        waiting.replace(path)

    def _put_together(self, content: str, parts: int) -> None:
        with self._http.stream(content, []) as lines:
            manifest = next(lines).encode() + b"\n"
        waiting = self._to.with_name(f"{self._to.name}.new")
        waiting.touch(mode=0o600)
        with waiting.open("wb") as whole:
            whole.write(manifest)
            for number in range(parts):
                with (self._folder / f"{number:06d}").open("rb") as part:
                    shutil.copyfileobj(part, whole)
            whole.flush()
            os.fsync(whole.fileno())
        waiting.replace(self._to)
        shutil.rmtree(self._folder)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `python -m mneme export`."""
    parser.add_argument("--from", dest="url", required=True, help="the service")
    parser.add_argument("--to", type=Path, required=True, help="file to write")
    parser.add_argument("--owner", default="", help="only this person's memories")
    parser.add_argument("--namespace", default="", help="only this namespace")
    parser.add_argument("--embeddings", action="store_true", help="with vectors")
    parser.add_argument("--ascii", action="store_true", help="escape the rest")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Fetch one file; prints the counts as JSON."""
    if urlsplit(options.url).scheme not in ("http", "https"):
        raise ValueError("--from takes the address of a service")
    wanted: dict[str, Any] = {
        "embeddings": options.embeddings,
        "ascii": options.ascii,
    }
    if options.owner:
        wanted["owner_id"] = options.owner
    if options.namespace:
        wanted["namespace"] = options.namespace
    http = Transport(options.url.rstrip("/"), os.environ.get("MNEME_TOKEN", ""))
    try:
        counts = Fetch(http, options.to, wanted).run()
    finally:
        http.close()
    sys.stdout.write(json.dumps({"file": str(options.to), **counts}) + "\n")
    return 0


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(256 * 1024):
            digest.update(piece)
    return digest.hexdigest()


def _write(path: Path, data: bytes) -> None:
    waiting = path.with_suffix(".new")
    waiting.write_bytes(data)
    waiting.replace(path)
