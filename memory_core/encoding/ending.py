"""Sessions that end because their time runs out."""

import logging
from datetime import datetime

from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.sessions import Session
from memory_core.encoding import handing
from memory_core.exceptions import MnemeError
from memory_core.sessions import store

SWEEP = 500
"""Sessions that one sweep looks at; the next one goes on."""

logger = logging.getLogger(__name__)


def tend(*, now: datetime) -> int:
    """Encode sessions before they end and remove ended ones; return how many.

    Raises ServiceUnavailable.
    """
    found = store.due(now=now, limit=SWEEP)
    for key, session in found:
        if session is None:
            store.no_longer_due(key)
            continue
        try:
            _tend(key, session, now=now)
        except MnemeError as error:
            # An owner that was erased meanwhile: nothing of them may stay.
            logger.warning("a session was dropped: %s", error.code)
            store.remove(key, session.owner_id)
    return len(found)


def _tend(key: str, session: Session, *, now: datetime) -> None:
    if session.waiting:
        handing.hand_over(
            session.waiting,
            by=SYSTEM,
            speaker=session.speaker,
            owner_id=session.owner_id,
            session_id=session.session_id,
            summary=session.summary,
            now=now,
        )
    if session.expires_at <= now:
        handing.record_end(session, by=SYSTEM, now=now)
        store.remove(key, session.owner_id)
    else:
        store.mark_encoded(key, to=session.length, now=now)
