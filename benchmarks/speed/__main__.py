"""Speed of storing and finding: `make bench OUT=FILE`.

A service of its own for each size: embedded servers, migrations, web server, worker
and scheduler as in real life, filled by COPY with seeded sentences and vectors. Times
are taken by clients over HTTP; the floors (one bare psycopg connection, an empty view)
come from the same run. Embedding is timed apart, with the bundled model. A file with
vectors is imported into an empty service by the command.
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

from benchmarks.speed import importing
from benchmarks.speed.embedding import milliseconds
from benchmarks.speed.service import PROJECT, Service, running

SCOPES = "recall,save,source:user_input"
RATE = "1000000"


def main() -> None:
    """Measure, print the JSON and write it to `--out`."""
    parser = argparse.ArgumentParser(prog="benchmarks.speed", description=__doc__)
    parser.add_argument("--out", type=Path, help="file for the JSON")
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument(
        "--import-rows",
        type=int,
        default=20_000,
        help="lines of the file that is imported; 0 for none",
    )
    options = parser.parse_args()
    report: dict[str, Any] = {}
    for rows in options.rows:
        with running() as service:
            report[f"{rows // 1_000}k"] = _measured(service, rows)
    if options.import_rows:
        with running() as service:
            report["import"] = _imported(service, options.import_rows)
    report["embedding"] = milliseconds()
    text = json.dumps(report, indent=2)
    sys.stdout.write(f"{text}\n")
    if options.out:
        options.out.write_text(f"{text}\n")


def _imported(service: Service, rows: int) -> dict[str, Any]:
    issued = service.manage("issue_token", "--agent", "bench", "--scopes", SCOPES)
    return importing.measured(service, str(issued["namespace"]), rows)


def _measured(service: Service, rows: int) -> dict[str, Any]:
    """Measure in a process that has this service's addresses in its settings."""
    issued = service.manage(
        "issue_token", "--agent", "bench", "--scopes", SCOPES, "--rate", RATE
    )
    environment = service.environment | {
        "DJANGO_SETTINGS_MODULE": "benchmarks.speed.settings",
        "MNEME_BENCH_TOKEN": str(issued["token"]),
    }
    with NamedTemporaryFile() as answer:
        command = [sys.executable, "-m", "benchmarks.speed.one", str(rows)]
        command += [str(service.port), str(issued["namespace"]), answer.name]
        subprocess.run(command, cwd=PROJECT, env=environment, check=True)
        found: dict[str, Any] = json.loads(Path(answer.name).read_text())
    return found


if __name__ == "__main__":
    main()
