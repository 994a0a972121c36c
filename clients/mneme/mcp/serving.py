"""Run the MCP server on stdio or over streamable HTTP."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from mcp.server import MCPServer

ASGIApp = Callable[..., Awaitable[None]]


def serve_http(server: MCPServer[Any], host: str, port: int, key: str) -> None:
    """Serve `http://host:port/mcp` until stopped.

    With `key`, every request needs `Authorization: Bearer <key>`. Without one, only
    this machine may call: whoever reaches the port reads and writes the memories.
    """
    if not key and not _is_loopback(host):
        raise SystemExit("an address that others reach needs MNEME_MCP_KEY")
    app: ASGIApp = server.streamable_http_app(host=host)
    uvicorn.run(with_key(app, key), host=host, port=port, log_level="warning")


def with_key(app: ASGIApp, key: str) -> ASGIApp:
    """Return the app behind a check of the bearer key; "" means no check."""
    expected = f"Bearer {key}".encode()

    async def checked(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http" and key:
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, expected):
                await _refuse(send)
                return
        await app(scope, receive, send)

    return checked


async def _refuse(send: Any) -> None:
    headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
