"""Whether each part that the service needs answers now."""

import time
from dataclasses import dataclass
from threading import Lock

from django.db import Error as DatabaseError

from memory_core import isolation, screening, valkey
from memory_core.contracts.health import HEARTBEAT_KEY
from memory_core.embedding import EmbedderUnavailable
from memory_core.exceptions import NoVectorSpace
from memory_core.models import Namespace
from memory_core.saving.vectors import active_model, embed_in_time, embedder_of

OK = "ok"
EMBEDDING_SECONDS = 30.0  # a working embedder is not asked again for so long


@dataclass(frozen=True, slots=True)
class Health:
    """The state of each part by name: `ok`, or a code of what is wrong."""

    parts: dict[str, str]

    @property
    def is_ready(self) -> bool:
        """Whether every part answers."""
        return all(state == OK for state in self.parts.values())


def check() -> Health:
    """Return the health of each part."""
    return Health(
        {
            "database": _database(),
            "queue": _queue(),
            "screening": _screening(),
            "embedding": _embedding.state(now=time.monotonic()),
            "worker": _worker(),
        }
    )


def _database() -> str:
    try:
        with isolation.agent_transaction():
            Namespace.objects.exists()
    except DatabaseError:
        return "unreachable"
    return OK


def _queue() -> str:
    try:
        valkey.client().ping()
    except valkey.Unavailable:
        return "unreachable"
    return OK


def _worker() -> str:
    try:
        alive = valkey.client().exists(HEARTBEAT_KEY)
    except valkey.Unavailable:
        return "unknown"
    return OK if alive else "silent"


def _screening() -> str:
    """Without its classifier the write filter holds what is not trusted."""
    return "rules_only" if screening.prepare().degraded else OK


class _Embedding:
    """Embeds a word now and then; in between the last good answer stands."""

    def __init__(self) -> None:
        self._good_until = 0.0
        self._lock = Lock()

    def state(self, *, now: float) -> str:
        """Return `ok` or the code of what is wrong."""
        if now < self._good_until:
            return OK
        state = _try_embedding()
        with self._lock:
            self._good_until = now + EMBEDDING_SECONDS if state == OK else 0.0
        return state


def _try_embedding() -> str:
    try:
        with isolation.agent_transaction():
            model = active_model()
        embedder_of(model.name)
    except DatabaseError:
        return "unknown"
    except EmbedderUnavailable as error:
        return error.code
    except NoVectorSpace:
        return "not_set_up"
    return OK if embed_in_time(model, ["ok"])[0] is not None else "embedder_silent"


_embedding = _Embedding()
