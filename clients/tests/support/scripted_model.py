"""An OpenAI-compatible chat endpoint on a loopback port that answers from a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ScriptedModel(ThreadingHTTPServer):
    """Answers with the next entry of `script`, or "好的" when it is used up.

    An entry is a text, or `(tool, arguments)` for a tool call. `prompts` holds the
    messages of every request.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: list[str | tuple[str, dict[str, Any]]] = []
        self.prompts: list[list[dict[str, Any]]] = []
        self.tools: list[list[str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def prompt_text(self, index: int = -1) -> str:
        """Return all texts of one prompt."""
        return "\n".join(
            _text(message.get("content")) for message in self.prompts[index]
        )


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    model = ScriptedModel()
    threading.Thread(target=model.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield model
    finally:
        model.shutdown()
        model.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedModel

    def log_message(self, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/chat/completions"):
            self._send(404, b'{"error": {"message": "only chat completions"}}', "json")
            return
        self.server.prompts.append(body["messages"])
        names = [tool["function"]["name"] for tool in body.get("tools") or ()]
        self.server.tools.append(names)
        entry = self.server.script.pop(0) if self.server.script else "好的"
        message, reason = _message(entry, len(self.server.prompts))
        if body.get("stream"):
            self._send(200, _stream(message, reason), "stream")
        else:
            self._send(200, json.dumps(_whole(message, reason)).encode(), "json")

    def _send(self, status: int, data: bytes, kind: str) -> None:
        types = {"json": "application/json", "stream": "text/event-stream"}
        self.send_response(status)
        self.send_header("Content-Type", types[kind])
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _message(entry: Any, number: int) -> tuple[dict[str, Any], str]:
    if isinstance(entry, str):
        return {"role": "assistant", "content": entry}, "stop"
    name, arguments = entry
    call = {
        "id": f"call_{number}",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"


_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def _whole(message: dict[str, Any], reason: str) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [choice],
        "usage": _USAGE,
    }


def _stream(message: dict[str, Any], reason: str) -> bytes:
    delta = dict(message)
    for index, call in enumerate(delta.get("tool_calls") or ()):
        call["index"] = index
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1}
    chunks = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {"choices": [], "usage": _USAGE},
    ]
    lines = [json.dumps({**head, "model": "scripted", **chunk}) for chunk in chunks]
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content or "")
