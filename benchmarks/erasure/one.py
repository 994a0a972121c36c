"""Fill one running service, erase an owner: `python -m benchmarks.erasure.one`."""

import json
import os
import sys
import threading
import time
from pathlib import Path

import django

QUERIES = 50
SECONDS_BEFORE = 20.0
POLL_SECONDS = 0.2
MOST_SECONDS = 1_800.0


def main(rows: int, erased: int, port: int, namespace: str, answer: Path) -> None:
    """Write what was measured to `answer`."""
    django.setup()
    from benchmarks.erasure.locks import Watch  # these need Django's settings
    from benchmarks.speed.corpus import Sentences
    from benchmarks.speed.load import fill

    begun = time.perf_counter()
    people = fill(rows, namespace=namespace, large=erased)
    loaded = time.perf_counter() - begun
    others = [name for name, _ in people.small][:QUERIES]
    calls = _calls(others, Sentences(7).take(QUERIES, words=6))
    before = _recalls(port, calls, threading.Event(), SECONDS_BEFORE)
    ended, found = threading.Event(), []
    clients = threading.Thread(
        target=lambda: found.append(_recalls(port, calls, ended, MOST_SECONDS))
    )
    with Watch(os.environ["DATABASE_URL"]) as watch:
        clients.start()
        times = _erase(people.large[0][0])
        ended.set()
        clients.join()
    report = {
        "rows": rows,
        "erased": erased,
        "load_seconds": round(loaded, 1),
        **times,
        "locks": watch.report(),
        "recall_of_others_before": before,
        "recall_of_others_during": found[0],
    }
    answer.write_text(json.dumps(report))


def _erase(owner_id: str) -> dict[str, object]:
    """Let the worker erase an owner; return how long each part took, in seconds."""
    from memory_core.actions import erasure
    from memory_core.contracts.callers import Actor
    from memory_core.contracts.erasure import RunState, Subject

    begun = time.perf_counter()
    ref = erasure.start(
        subject=Subject((owner_id,)),
        case_ref="bench",
        ground="17-1-b",
        prepared_by="1",
        approved_by="2",
        by=Actor("operator:bench"),
    )
    fenced = time.perf_counter() - begun
    view = erasure.state(run=ref)
    while view.index_purged_at is None:
        if view.state == RunState.FAILED or time.perf_counter() - begun > MOST_SECONDS:
            raise SystemExit(f"the erasure did not end: {view.state} {view.error}")
        time.sleep(POLL_SECONDS)
        view = erasure.state(run=ref)
    ends = [one for one in view.passes if one.started_at and one.ended_at]
    longest = sorted(ends, key=lambda one: one.ended_at - one.started_at)[-5:]
    return {
        "fence_seconds": round(fenced, 3),
        "live_erased_seconds": _between(view.fenced_at, view.live_erased_at),
        "purged_seconds": _between(view.fenced_at, view.index_purged_at),
        "passes_seconds": {
            one.store: _between(one.started_at, one.ended_at) for one in longest
        },
    }


def _between(start, end) -> float:
    return round((end - start).total_seconds(), 2)


def _calls(owners, queries):
    from benchmarks.speed.clients import Call

    return [
        Call("/v1/memory/recall", {"owner_id": owner, "query": query})
        for owner, query in zip(owners, queries, strict=False)
    ]


def _recalls(port: int, calls, ended: threading.Event, seconds: float):
    """Recall on one connection until told to end; return the times in ms."""
    from benchmarks.speed.clients import Client, Taken

    client = Client(port, os.environ["MNEME_BENCH_TOKEN"])
    taken, begun = Taken(), time.perf_counter()
    while not ended.is_set() and time.perf_counter() - begun < seconds:
        for call in calls:
            start = time.perf_counter()
            client.send(call)
            taken.milliseconds.append((time.perf_counter() - start) * 1_000)
            time.sleep(0.01)
    taken.seconds = time.perf_counter() - begun
    client.close()
    return taken.summary()


if __name__ == "__main__":
    rows, erased, port, namespace, answer = sys.argv[1:]
    main(int(rows), int(erased), int(port), namespace, Path(answer))
