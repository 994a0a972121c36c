"""What the stories have in common: an agent that speaks for its users."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from memory_core.encoding import engine
from memory_core.models import RawTurns
from tests.api.client import HttpAgent, new_agent

SPACE = "family"


def listener(name: str = "listener") -> HttpAgent:
    """Return an agent that hears users in the namespace of the stories."""
    return new_agent(name=name, namespace=SPACE, shared={SPACE: "rw"})


def tell(agent: HttpAgent, owner_id: str, content: str, **more: Any) -> dict[str, Any]:
    """Save what a user said; return the answer."""
    more.setdefault("source", {"kind": "user_input", "name": owner_id})
    answer = agent.post("save", owner_id=owner_id, content=content, **more)
    assert answer.status_code in (200, 201), answer.json()
    return answer.json()


def ask(agent: HttpAgent, owner_id: str, query: str, **more: Any) -> list[str]:
    """Return what is recalled, best first."""
    answer = agent.post("recall", owner_id=owner_id, query=query, **more)
    assert answer.status_code == 200, answer.json()
    return [memory["content"] for memory in answer.json()["memories"]]


def converse(
    agent: HttpAgent, owner_id: str, session_id: str, said: Sequence[str], **more: Any
) -> None:
    """Put rounds into a session and let the worker encode what is due."""
    for text in said:
        messages = [
            {"role": "user", "content": text},
            {"role": "assistant", "content": "OK."},
        ]
        body = {"owner_id": owner_id, "messages": messages, **more}
        answer = agent.call("PUT", f"/v1/sessions/{session_id}/messages", body)
        assert answer.status_code == 200, answer.json()
    work()


def work(*, now: datetime | None = None) -> None:
    """Do what a worker does with the conversations that wait."""
    moment = now or timezone.now()
    for turns_id in engine.waiting(now=moment, limit=100):
        engine.encode(turns_id, now=moment)
    assert not RawTurns.objects.filter(due_at__lte=moment).exists()


def block(agent: HttpAgent, owner_id: str, query: str, **more: Any) -> str:
    """Return the context block for a turn."""
    body = {"owner_id": owner_id, "moment": "turn", "query": query, **more}
    answer = agent.post("context", **body)
    assert answer.status_code == 200, answer.json()
    return answer.json()["text"]
