"""A large file through the console: `python -m benchmarks.upload --out FILE`.

A service of its own takes a file of 100 MB in each form, shows it while it waits, and
maps it for a trial run. Memory is that of all web processes, of the worker's and of
the largest one among them.
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
from benchmarks.upload.files import FORMS


def main() -> None:
    """Measure, print the JSON and write it to `--out`."""
    parser = argparse.ArgumentParser(prog="benchmarks.upload", description=__doc__)
    parser.add_argument("--out", type=Path, help="file for the JSON")
    parser.add_argument("--mb", type=int, default=100)
    parser.add_argument("--forms", nargs="*", default=list(FORMS), choices=FORMS)
    options = parser.parse_args()
    with running() as service, NamedTemporaryFile() as answer:
        command = [sys.executable, "-m", "benchmarks.upload.one", str(options.mb)]
        command += [str(service.port), str(service.pid), answer.name, *options.forms]
        environment = service.environment | {
            "DJANGO_SETTINGS_MODULE": "benchmarks.speed.settings"
        }
        subprocess.run(command, cwd=PROJECT, env=environment, check=True)
        text = json.dumps(json.loads(Path(answer.name).read_text()), indent=2)
    sys.stdout.write(f"{text}\n")
    if options.out:
        options.out.write_text(f"{text}\n")


if __name__ == "__main__":
    main()
