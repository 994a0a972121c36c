"""One URL chooses the back end; nothing else in the agent changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit
from urllib.request import url2pathname

from mneme.outbox import Outbox
from mneme.protocol import AsyncMemoryStore, MemoryStore
from mneme.stores.file import FileStore
from mneme.stores.guarded import GuardedStore
from mneme.stores.service import ServiceStore
from mneme.stores.sqlite import SQLiteStore
from mneme.stores.threaded import ThreadedStore
from mneme.transport import Transport

WhenDown = Literal["raise", "empty", "spool"]


def open(
    url: str,
    *,
    token: str | None = None,
    when_down: WhenDown = "raise",
    spool: str | Path | None = None,
) -> MemoryStore:
    """Return the store behind a URL.

    `file:///path/memories.jsonl`, `sqlite:///path/memories.db`, or the address of a
    service, `https://host?namespace=support`. `token` (else the environment's
    `MNEME_TOKEN`) is for the service, and so is `when_down`: `raise` an error, go on
    `empty`, or `spool` writes to the file `spool` until the service is back.
    """
    parts = urlsplit(url)
    if parts.scheme == "file":
        return FileStore(_path(url))
    if parts.scheme == "sqlite":
        return SQLiteStore(_path(url))
    if parts.scheme not in ("http", "https"):
        raise ValueError("a store's URL starts with file:, sqlite:, http: or https:")
    if parts.username or parts.password:
        raise ValueError("give the token as token= or MNEME_TOKEN, not in the URL")
    store = _service(url, token)
    if when_down == "raise":
        return store
    return GuardedStore(store, outbox=_outbox(when_down, spool))


def aopen(
    url: str,
    *,
    token: str | None = None,
    when_down: WhenDown = "raise",
    spool: str | Path | None = None,
) -> AsyncMemoryStore:
    """Return the store behind a URL for asynchronous code; see `open`."""
    return ThreadedStore(open(url, token=token, when_down=when_down, spool=spool))


def _service(url: str, token: str | None) -> ServiceStore:
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    unknown = set(query) - {"namespace"}
    if unknown:
        raise ValueError(f"a service's URL takes namespace=, not {min(unknown)}=")
    base_url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
    secret = os.environ.get("MNEME_TOKEN", "") if token is None else token
    namespace = query.get("namespace", [""])[0]
    return ServiceStore(Transport(base_url, secret), namespace=namespace)


def _outbox(when_down: str, spool: str | Path | None) -> Outbox | None:
    if when_down == "empty":
        return None
    if when_down != "spool":
        raise ValueError("when_down is raise, empty or spool")
    if spool is None:
        raise ValueError("when_down='spool' needs spool=, the file to keep writes in")
    return Outbox(Path(spool))


def _path(url: str) -> Path:
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
        raise ValueError(f"{parts.scheme}: takes an absolute path, as in file:///path")
    return Path(url2pathname(parts.path))
