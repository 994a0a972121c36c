"""An agent that speaks HTTP, through Django's test client and the whole stack."""

import json
from typing import Any

from django.test import Client

from tests.factories import make_token


class HttpAgent:
    """Calls the API with one token; every answer is checked for its request id."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.client = Client(raise_request_exception=False)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Return the answer; `body` is sent as JSON, bytes as they are."""
        raw = (
            body if isinstance(body, bytes) else json.dumps(body, default=str).encode()
        )
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        answer = self.client.generic(
            method,
            path,
            b"" if body is None else raw,
            content_type=headers.pop("Content-Type", "application/json"),
            headers=headers,
        )
        assert answer["X-Request-ID"]
        return answer

    def post(self, verb: str, **body: Any) -> Any:
        """Return the answer of `/v1/memory/<verb>`."""
        return self.call("POST", f"/v1/memory/{verb}", body)

    def get(self, path: str, **query: Any) -> Any:
        """Return the answer of a GET with this query string."""
        return self.client.get(
            path, query, headers={"Authorization": f"Bearer {self.token}"}
        )


def new_agent(**options: Any) -> HttpAgent:
    """Return a new agent (see `make_token` for the options)."""
    return HttpAgent(make_token(**options))
