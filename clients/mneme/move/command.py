"""The command `python -m mneme move`."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime, timezone
from pathlib import Path

from mneme.move.dumps import SYSTEMS, Dump
from mneme.move.mapped import read_map
from mneme.move.moving import Quarantine, move
from mneme.opening import open


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("file", type=Path, help="the dump")
    parser.add_argument("--from", dest="system", required=True, choices=SYSTEMS)
    parser.add_argument("--to", required=True, help="URL of the store")
    parser.add_argument("--map", type=Path, help="mapping file, for csv, yaml and json")
    parser.add_argument("--owner", default="", help="for records that name nobody")
    parser.add_argument("--namespace", default="", help="where to put the memories")
    parser.add_argument("--zone", help="of times without an offset, as in +08:00")
    parser.add_argument("--encoding", help="if it is not UTF-8 and has no mark")
    parser.add_argument("--quarantine", type=Path, help="where bad records go")
    parser.add_argument("--dry-run", action="store_true", help="count, write nothing")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Move one file; prints the counts as JSON, 0 if nothing was set aside."""
    dump = _dump(options)
    mapper = dump.mapper()
    quarantine = Quarantine(options.quarantine or _beside(options.file))
    with open(options.to) as store:
        report = move(
            dump.records(),
            mapper,
            store,
            dump.defaults(),
            quarantine=quarantine,
            dry_run=options.dry_run,
            progress=_progress,
        )
    counts = {name: getattr(report, name) for name in _COUNTS}
    answer = {
        "dry_run": options.dry_run,
        **counts,
        "quarantined": quarantine.count,
        "codes": quarantine.codes,
        "quarantine": str(quarantine.path) if quarantine.count else None,
    }
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    return 2 if quarantine.count else 0


_COUNTS = ("added", "updated", "unchanged", "held", "refused")


def _dump(options: argparse.Namespace) -> Dump:
    changed = options.file.stat().st_mtime
    return Dump(
        path=options.file,
        system=options.system,
        moment=datetime.fromtimestamp(int(changed), timezone.utc),
        owner_id=options.owner,
        namespace=options.namespace,
        zone=options.zone or "",
        encoding=options.encoding or "",
        mapping=read_map(options.map) if options.map else None,
    )


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".quarantine.jsonl")


def _progress(done: int) -> None:
    if not sys.stderr.isatty():
        return
    sys.stderr.write(f"\r{done} memories")
    sys.stderr.flush()
