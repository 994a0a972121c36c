"""An agent that sends what mem0's clients send."""

import json
from typing import Any
from urllib.parse import quote

from django.test import Client

from tests.factories import make_token

ROOT = "/compat/mem0/"


class Mem0:
    """Sends with one token, in the header of mem0's platform client."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.client = Client(raise_request_exception=False)

    def call(
        self, method: str, path: str, body: Any = None, **query: Any
    ) -> tuple[int, Any]:
        """Return status and body of the answer to a request with a JSON body."""
        answer = self.client.generic(
            method,
            ROOT + path,
            b"" if body is None else json.dumps(body).encode(),
            content_type="application/json",
            headers={"Authorization": f"Token {self.token}"},
            query_params=query or None,
        )
        assert answer["Content-Type"] == "application/json"
        return answer.status_code, answer.json()

    def head(self, path: str, **query: Any) -> int:
        """Return the status of a HEAD request."""
        answer = self.client.head(
            ROOT + path,
            headers={"Authorization": f"Token {self.token}"},
            query_params=query or None,
        )
        return answer.status_code

    def ok(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Return the body of an answer that has to be good."""
        status, answer = self.call(method, path, body, **query)
        assert status == 200, answer
        return answer

    def add(self, *texts: str, **fields: Any) -> Any:
        """Return the answer to messages of a user."""
        said = [{"role": "user", "content": text} for text in texts]
        return self.ok("POST", "v3/memories/add/", {"messages": said, **fields})

    def add_raw(self, text: str, **fields: Any) -> str:
        """Return the id of a text that is stored as it is."""
        [entry] = self.add(text, infer=False, **fields)["results"]
        return str(entry["id"])

    def search(self, query: str, filters: Any, **fields: Any) -> list[str]:
        """Return the texts that answer a query, best first."""
        body = {"query": query, "filters": filters, **fields}
        found = self.ok("POST", "v3/memories/search/", body)["results"]
        return [one["memory"] for one in found]

    def listed(self, filters: Any, **fields: Any) -> list[str]:
        """Return the texts of a list."""
        answer = self.ok("POST", "v3/memories/", {"filters": filters, **fields})
        return [one["memory"] for one in answer["results"]]

    def one(self, method: str, memory_id: object, body: Any = None) -> tuple[int, Any]:
        """Return status and body of a request about one memory."""
        return self.call(method, f"v1/memories/{quote(str(memory_id))}/", body)


def new_client(**options: Any) -> Mem0:
    """Return a client of a new agent (see `make_token` for the options)."""
    return Mem0(make_token(**options))
