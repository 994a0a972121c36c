"""What a recall leaves behind waits in Valkey: nothing is written on the hot path.

Without Valkey recalls answer all the same; what could not be noted is counted and
logged.
"""

import logging
import time
from threading import Lock

import orjson
from django.utils import timezone
from prometheus_client import Counter

from memory_core import digests, valkey
from memory_core.contracts.callers import Caller
from memory_core.contracts.touches import Note

WAITING = "mneme:touches"
MOST_WAITING = 200_000
"""Notes that may wait; the oldest go first when nobody flushes for long."""
USE_SECONDS = 1.0

LOST = Counter("mneme_touches_lost", "Recall notes that were not kept")

logger = logging.getLogger(__name__)
_last_use: dict[int, float] = {}
_lock = Lock()


def push(note: Note) -> bool:
    """Hand over a note to be written soon; return whether it was kept."""
    if valkey.is_resting():
        LOST.inc()
        return False
    try:
        waiting = valkey.append(WAITING, orjson.dumps(note))
        if waiting > MOST_WAITING:
            valkey.keep_last(WAITING, MOST_WAITING)
            LOST.inc(waiting - MOST_WAITING)
    except valkey.Unavailable as error:
        valkey.rest()
        LOST.inc()
        logger.warning("recalls are not noted, Valkey is down: %s", error)
        return False
    return True


def note_use(by: Caller) -> None:
    """Note that a token was used: once a second for each process at most."""
    now = time.monotonic()
    with _lock:
        if now - _last_use.get(by.token_id, -USE_SECONDS) < USE_SECONDS:
            return
        if len(_last_use) > 10_000:
            _last_use.clear()
        _last_use[by.token_id] = now
    at = timezone.now().timestamp()
    push(Note(at=at, actor=by.name, token_id=by.token_id))


def session_digest(owner_id: str, session_id: str) -> str:
    """Return what stands for a session where its name should not; empty without one."""
    if not session_id:
        return ""
    return digests.keyed(f"session {owner_id}", session_id).hex()[:32]
