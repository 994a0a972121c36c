"""An agent that talks to the running service over HTTP."""

import json
from typing import Any

import httpx

from tests.supervisor.service import Service


class Agent:
    """The demo agent of a home, with the token of its credentials file."""

    def __init__(self, service: Service) -> None:
        written = json.loads((service.home / "credentials.json").read_text())
        self.token = written["agents"]["demo"]
        self.base = f"http://127.0.0.1:{service.port}/v1/memory"
        self.client = httpx.Client(
            timeout=180,
            headers={"Authorization": f"Bearer {self.token}"},
            limits=httpx.Limits(max_connections=32),
        )

    def post(self, verb: str, **body: Any) -> httpx.Response:
        return self.client.post(f"{self.base}/{verb}", json=body)

    def save(self, content: str, *, owner: str, key: str = "") -> httpx.Response:
        """Save what the owner said."""
        return self.client.post(
            f"{self.base}/save",
            json={
                "owner_id": owner,
                "content": content,
                "source": {"kind": "user_input", "name": owner},
            },
            headers={"Idempotency-Key": key} if key else {},
        )

    def recall(self, query: str, *, owner: str, **more: Any) -> httpx.Response:
        return self.post("recall", owner_id=owner, query=query, **more)

    def recalled(self, query: str, *, owner: str) -> list[str]:
        """Return the recalled texts, best first."""
        answer = self.recall(query, owner=owner)
        assert answer.status_code == 200, answer.text
        return [memory["content"] for memory in answer.json()["memories"]]

    def listed(self, *, owner: str) -> list[str]:
        """Return the ids of all that the owner has, over all pages."""
        found: list[str] = []
        cursor = None
        while True:
            more = {"cursor": cursor} if cursor else {}
            answer = self.client.get(self.base, params={"owner_id": owner, **more})
            assert answer.status_code == 200, answer.text
            page = answer.json()
            found += [memory["memory_id"] for memory in page["memories"]]
            cursor = page["next_cursor"]
            if not cursor:
                return found

    def first(self, *, owner: str) -> dict[str, Any]:
        """Return the newest memory of an owner."""
        answer = self.client.get(self.base, params={"owner_id": owner})
        memory: dict[str, Any] = answer.json()["memories"][0]
        return memory
