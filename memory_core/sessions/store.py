"""Sessions in Valkey: one value each, changed only as it was read.

A session is found by the agent and namespace that it belongs to and by keyed digests
of owner and session, so nobody can name another agent's. A set per owner lists the
owner's, for erasures; a sorted set says which have to be looked at when.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import orjson
from redis import WatchError

from memory_core import digests, valkey
from memory_core.contracts.sessions import Message, Session, Speaker
from memory_core.exceptions import ServiceUnavailable
from memory_core.sessions import window

PREFIX = "mneme:session"
DUE = "mneme:sessions:due"
OWNED = "mneme:sessions:of"
GRACE = timedelta(hours=1)
"""How long an ended session stays for the sweep, should no worker have come by."""
OWNED_FOR = timedelta(days=8)
"""Longer than any session lives."""
TRIES = 20


class _Gone(Exception):
    """There is no session to change."""


Step = Callable[[Session | None], Session]


def key_of(speaker: Speaker, owner_id: str, session_id: str) -> str:
    """Return where a session lies; a stranger's is another key."""
    owner = digests.of_owner(owner_id).hex()
    session = digests.keyed(f"session {owner_id}", session_id).hex()[:32]
    return f"{PREFIX}:{speaker.agent_id}:{speaker.namespace_id}:{owner}:{session}"


def read(key: str, *, now: datetime) -> Session | None:
    """Return a session that has not ended, else None; raises ServiceUnavailable."""
    session = _loaded(_asked(lambda: valkey.read(key)))
    return session if session and session.expires_at > now else None


def change(key: str, step: Step, *, now: datetime) -> Session:
    """Return the session that `step` makes of the one that is there, now kept.

    `step` is given None when there is none or it has ended, and is called again if
    somebody else was faster. Raises ServiceUnavailable.
    """
    return _asked(lambda: _changed(key, step, now=now))  # type: ignore[no-any-return]


def mark_encoded(key: str, *, to: int, now: datetime) -> Session | None:
    """Return the session after its messages before `to` were handed over.

    None if it has ended meanwhile. Raises ServiceUnavailable.
    """
    return _rewrite(key, partial(window.encoded, to=to), now=now)


def drop_said(
    owner_id: str,
    says: Callable[[str], bool],
    places: Collection[tuple[str, int]],
    *,
    now: datetime,
) -> None:
    """Take messages out of an owner's open sessions, with what tells of them.

    Those that `says` something holds for, and those at `places`, which are sessions
    with positions in them. Raises ServiceUnavailable.
    """

    def step(session: Session) -> Session:
        own = {at for name, at in places if name == session.session_id}
        return window.without(session, says, own)

    for key in of_owner(owner_id):
        _rewrite(key, step, now=now)


def _rewrite(
    key: str, step: Callable[[Session], Session], *, now: datetime
) -> Session | None:
    """Change a session that is there; None if there is none any more."""

    def checked(session: Session | None) -> Session:
        if session is None:
            raise _Gone
        return step(session)

    try:
        return change(key, checked, now=now)
    except _Gone:
        return None


def remove(key: str, owner_id: str) -> None:
    """Forget a session; raises ServiceUnavailable."""

    def act() -> None:
        with valkey.client().pipeline() as pipe:
            pipe.delete(key)
            pipe.zrem(DUE, key)
            pipe.srem(_owned(owner_id), key)
            pipe.execute()

    _asked(act)


def due(*, now: datetime, limit: int) -> list[tuple[str, Session | None]]:
    """Return up to `limit` sessions to look at, those longest due first.

    None stands for one that is gone. Raises ServiceUnavailable.
    """
    keys = _asked(
        lambda: valkey.client().zrangebyscore(
            DUE, "-inf", now.timestamp(), start=0, num=limit
        )
    )
    names = [key.decode() for key in keys]
    return [(name, _loaded(_asked(partial(valkey.read, name)))) for name in names]


def no_longer_due(key: str) -> None:
    """Take a session that is gone off the list; raises ServiceUnavailable."""
    _asked(lambda: valkey.client().zrem(DUE, key))


def of_owner(owner_id: str) -> list[str]:
    """Return the keys of an owner's sessions; raises ServiceUnavailable."""
    return sorted(_live_keys(owner_id))


def _live_keys(owner_id: str) -> Iterator[str]:
    for key in _asked(lambda: valkey.client().smembers(_owned(owner_id))):
        if _asked(partial(valkey.client().exists, key)):
            yield key.decode()


def _owned(owner_id: str) -> str:
    return f"{OWNED}:{digests.of_owner(owner_id).hex()}"


def _changed(key: str, step: Step, *, now: datetime) -> Session:
    for _ in range(TRIES):
        with valkey.client().pipeline() as pipe:
            pipe.watch(key)  # type: ignore[no-untyped-call]
            before = _loaded(pipe.get(key))
            live = before if before and before.expires_at > now else None
            session = step(live)
            pipe.multi()
            _put(pipe, key, session)
            try:
                pipe.execute()
            except WatchError:
                continue
            return session
    raise ServiceUnavailable("Too many write to this session at once; try again.")


def _put(pipe: Any, key: str, session: Session) -> None:
    ends = session.expires_at + GRACE
    owned = _owned(session.owner_id)
    pipe.set(key, orjson.dumps(session), pxat=int(ends.timestamp() * 1000))
    pipe.zadd(DUE, {key: window.due_at(session).timestamp()})
    pipe.sadd(owned, key)
    pipe.expire(owned, OWNED_FOR)


def _loaded(raw: Any) -> Session | None:
    if raw is None:
        return None
    values = orjson.loads(raw)
    times = {
        name: datetime.fromisoformat(values[name])
        for name in ("started_at", "updated_at", "expires_at")
    }
    kept = tuple(
        replace(Message(**one), at=datetime.fromisoformat(one["at"]))
        for one in values["kept"]
    )
    speaker = values["speaker"]
    speaker["scopes"] = tuple(speaker["scopes"])
    return Session(**{**values, **times, "kept": kept, "speaker": Speaker(**speaker)})


def _asked(act: Callable[[], Any]) -> Any:
    if valkey.is_resting():
        raise ServiceUnavailable("Sessions are away for a moment; try again.")
    try:
        return act()
    except valkey.Unavailable as error:
        if not isinstance(error, WatchError):
            valkey.rest()
        raise ServiceUnavailable(
            "Sessions are away for a moment; try again."
        ) from error
