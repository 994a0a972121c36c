"""Which locks the erasure holds, and whether anybody waits for one."""

import threading
import time
from collections import Counter

import psycopg

EVERY_SECONDS = 0.1
HELD = """
SELECT l.mode, count(*) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
 WHERE l.granted AND l.locktype = 'relation' AND a.usename IN ('mneme_jobs', 'mneme')
   AND l.mode NOT IN ('AccessShareLock', 'RowShareLock') AND a.pid <> pg_backend_pid()
 GROUP BY 1
"""
WAITING = """
SELECT coalesce(max(extract(epoch FROM now() - a.state_change)), 0), count(*)
  FROM pg_stat_activity a WHERE a.wait_event_type = 'Lock' AND a.usename = 'mneme_web'
"""


class Watch:
    """Looks every tenth of a second while it is entered."""

    def __init__(self, url: str) -> None:
        self._database = psycopg.connect(url, autocommit=True)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._looks = 0
        self._modes: Counter[str] = Counter()
        self._waits = 0
        self._longest = 0.0

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()
        self._database.close()

    def report(self) -> dict[str, object]:
        """Return in how many looks a mode was held, and the waits of requests."""
        return {
            "looks": self._looks,
            "looks_with_mode": dict(self._modes),
            "looks_with_waiting_requests": self._waits,
            "longest_wait_seconds": round(self._longest, 3),
        }

    def _look(self) -> None:
        while not self._ended.is_set():
            self._looks += 1
            for mode, _ in self._database.execute(HELD):
                self._modes[str(mode)] += 1
            [(longest, waiting)] = self._database.execute(WAITING)
            self._waits += bool(waiting)
            self._longest = max(self._longest, float(longest))
            time.sleep(EVERY_SECONDS)
