"""What an erasure of 20,000 memories costs: `python -m benchmarks.erasure --out FILE`.

A service of its own for each size, with web server, worker and scheduler as in real
life, filled by COPY with seeded sentences and vectors. While the worker erases one
owner, clients recall for others over HTTP and the locks of the database are looked at.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

from benchmarks.speed.service import PROJECT, Service, running

SCOPES = "recall,save,source:user_input"
RATE = "1000000"


def main() -> None:
    """Measure, print the JSON and write it to `--out`."""
    parser = argparse.ArgumentParser(prog="benchmarks.erasure", description=__doc__)
    parser.add_argument("--out", type=Path, help="file for the JSON")
    parser.add_argument("--rows", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--erased", type=int, default=20_000)
    options = parser.parse_args()
    report: dict[str, Any] = {}
    for rows in options.rows:
        with running() as service:
            report[f"{rows // 1_000}k"] = _measured(service, rows, options.erased)
    text = json.dumps(report, indent=2)
    sys.stdout.write(f"{text}\n")
    if options.out:
        options.out.write_text(f"{text}\n")


def _measured(service: Service, rows: int, erased: int) -> dict[str, Any]:
    """Measure in a process that has this service's addresses in its settings."""
    issued = service.manage(
        "issue_token", "--agent", "bench", "--scopes", SCOPES, "--rate", RATE
    )
    environment = service.environment | {
        "DJANGO_SETTINGS_MODULE": "benchmarks.speed.settings",
        "MNEME_BENCH_TOKEN": str(issued["token"]),
    }
    with NamedTemporaryFile() as answer:
        command = [sys.executable, "-m", "benchmarks.erasure.one", str(rows)]
        command += [str(erased), str(service.port), str(issued["namespace"])]
        subprocess.run(
            [*command, answer.name], cwd=PROJECT, env=environment, check=True
        )
        found: dict[str, Any] = json.loads(Path(answer.name).read_text())
    return found


if __name__ == "__main__":
    main()
