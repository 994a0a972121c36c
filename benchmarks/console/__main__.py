"""First pages of the console on a full store: `python -m benchmarks.console`.

A service of its own, filled in the database: a million memories of which 100,000 wait
for review. Times are those of a signed-in person's requests over HTTP, one after the
other; `p95` is the one to look at.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile

os.environ.setdefault("OMP_NUM_THREADS", "1")

from benchmarks.speed.service import PROJECT, running

ROWS, HELD = 1_000_000, 100_000


def main() -> None:
    """Measure, print the JSON and write it to `--out`."""
    parser = argparse.ArgumentParser(prog="benchmarks.console", description=__doc__)
    parser.add_argument("--out", type=Path, help="file for the JSON")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--held", type=int, default=HELD)
    parser.add_argument("--times", type=int, default=40, help="requests a page")
    options = parser.parse_args()
    with running() as service, NamedTemporaryFile() as answer:
        command = [sys.executable, "-m", "benchmarks.console.one"]
        numbers = (options.rows, options.held, options.times, service.port)
        command += map(str, numbers)
        environment = service.environment | {
            "DJANGO_SETTINGS_MODULE": "benchmarks.speed.settings"
        }
        subprocess.run(
            [*command, answer.name], cwd=PROJECT, env=environment, check=True
        )
        text = json.dumps(json.loads(Path(answer.name).read_text()), indent=2)
    sys.stdout.write(f"{text}\n")
    if options.out:
        options.out.write_text(f"{text}\n")


if __name__ == "__main__":
    main()
