"""Fill one running service and open its pages: `python -m benchmarks.console.one`."""

import json
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

import django
import numpy as np

PAGES = {
    "overview": "/",
    "queue": "/queue/",
    "queue, deep": "/queue/?after={deep}",
    "queue, inferred": "/queue/?view=unreviewed",
    "queue, reported": "/queue/?view=reported",
    "queue, of a namespace": "/queue/?namespace=space-1",
    "memories": "/memories/",
    "memories, archived": "/memories/?status={archived}",
    "memories, rejected": "/memories/?status={rejected}",
    "memories, of a person": "/memories/?owner=person-7",
    "memories, of a namespace": "/memories/?namespace=space-1",
    "memories, of a category": "/memories/?category=skill",
    "memories, of a kind": "/memories/?kind=tool_result",
    "sources": "/sources/",
    "source": "/sources/{source}/",
    "source, what a block would touch": "/blocks/source/{source}/",
    "audit log": "/audit/",
    "half-life": "/categories/preference/",
    "half-life, its counts": "/categories/preference/?half_life=30&floor=0"
    "&bonus_cap=0.2&archive_below=0.15&count=1",
    "half-life, its week": "/categories/preference/?week=1",
    "half-life, its spread": "/categories/preference/spread/?half_life=30&floor=0"
    "&bonus_cap=0.2&archive_below=0.15",
    "health": "/health/",
}


def main(rows: int, held: int, times: int, port: int, answer: Path) -> None:
    """Write milliseconds by page to `answer`."""
    django.setup()
    from benchmarks.console.fill import cookie, fill, known  # need Django's settings

    begun = time.perf_counter()
    fill(rows, held=held)
    loaded = round(time.perf_counter() - begun, 1)
    session, places = cookie(), known()
    report = {
        name: _timed(port, path.format(**places), session, times)
        for name, path in PAGES.items()
    }
    answer.write_text(json.dumps({"load_seconds": loaded, "milliseconds": report}))


def _timed(port: int, path: str, session: str, times: int) -> dict[str, float]:
    _open(port, path, session)
    taken = [_open(port, path, session) for _ in range(times)]
    return {
        "p50": round(float(np.percentile(taken, 50)), 1),
        "p95": round(float(np.percentile(taken, 95)), 1),
    }


def _open(port: int, path: str, session: str) -> float:
    begun = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers={"Cookie": f"sessionid={session}"})
    response = connection.getresponse()
    response.read()
    connection.close()
    if response.status != 200:
        raise SystemExit(f"{path} answered {response.status}")
    return (time.perf_counter() - begun) * 1000


if __name__ == "__main__":
    rows, held, times, port = map(int, sys.argv[1:5])
    main(rows, held, times, port, Path(sys.argv[5]))
