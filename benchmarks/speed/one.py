"""Fill one running service and measure it: `python -m benchmarks.speed.one`."""

import json
import os
import sys
import time
from pathlib import Path

import django


def main(rows: int, port: int, namespace: str, answer: Path) -> None:
    """Write what was measured to `answer`."""
    django.setup()
    from benchmarks.speed import floors  # these need Django's settings
    from benchmarks.speed.load import fill
    from benchmarks.speed.measure import Bench

    begun = time.perf_counter()
    people = fill(rows, namespace=namespace)
    loaded = round(time.perf_counter() - begun, 1)
    token = os.environ["MNEME_BENCH_TOKEN"]
    with floors.connect(os.environ["DATABASE_URL"]) as bare:
        report = Bench(port, token, namespace, people, bare).report()
    answer.write_text(json.dumps(report | {"load_seconds": loaded}))


if __name__ == "__main__":
    rows, port, namespace, answer = sys.argv[1:]
    main(int(rows), int(port), namespace, Path(answer))
