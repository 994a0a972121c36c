"""Calls over a wire, to a server in another process."""

import json
from typing import Any

from tests.api.server import LiveServer


def post(server: LiveServer, token: str, verb: str, body: Any, **headers: str) -> Any:
    """Return (status, body) of one call over a connection of its own."""
    return request(server, token, "POST", f"/v1/memory/{verb}", body, **headers)


def request(
    server: LiveServer,
    token: str,
    method: str,
    path: str,
    body: Any = None,
    **headers: str,
) -> Any:
    """Return (status, body) of one call over a connection of its own."""
    wire = server.connect()
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    raw = None if body is None else json.dumps(body)
    wire.request(method, path, raw, {**sent, **headers})
    answer = wire.getresponse()
    told = answer.status, json.loads(answer.read())
    wire.close()
    return told
