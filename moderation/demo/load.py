"""Save the demo's memories through the same pipeline as any agent's."""

import json
from datetime import datetime, timedelta
from importlib import resources
from typing import Any

from django.utils import timezone

from memory_core import auditing, isolation
from memory_core.actions import access, agents, memories, tokens
from memory_core.contracts.callers import Actor, Caller
from memory_core.contracts.enums import Trust
from memory_core.contracts.memories import Draft
from memory_core.models import Source

SCOPES = ("recall", "save", "source:user_input")


def into_database(*, by: Actor) -> None:
    """Make the demo's agents, then save its memories, the oldest first."""
    text = resources.files(__package__).joinpath("memories.json").read_text("utf-8")
    world, now = json.loads(text), timezone.now()
    space = agents.share_namespace(name=world["namespace"], by=by)
    callers = {name: _caller(name, world["namespace"], by) for name in world["agents"]}
    items = sorted(world["memories"], key=lambda item: -float(item["days_ago"]))
    for item in items:
        draft = _draft(item, world["namespace"], now)
        memories.remember(draft=draft, by=callers[item["agent"]])
    _trust(space.pk, world["trusted"], by)


def _caller(name: str, namespace: str, by: Actor) -> Caller:
    agent = agents.register(name=name, by=by)
    agents.grant(
        agent=agent,
        namespace=agents.share_namespace(name=namespace, by=by),
        read=True,
        write=True,
        by=by,
    )
    secret, token = tokens.issue(agent=agent, scopes=SCOPES, by=by)
    caller = access.authenticate(secret)
    tokens.revoke(token=token, by=by, now=timezone.now())
    if caller is None:
        raise RuntimeError("the demo's own token was refused")
    return caller


def _draft(item: dict[str, Any], namespace: str, now: datetime) -> Draft:
    observed = now - timedelta(days=float(item["days_ago"]))
    due = item.get("due_in_days")
    return Draft(
        owner_id=item["owner"],
        content=item["content"],
        namespace=namespace,
        category=item["category"],
        source_kind=item["source"][0],
        source_name=item["source"][1],
        subject=item.get("subject", ""),
        tags=tuple(item.get("tags", ())),
        importance=item.get("importance"),
        observed_at=observed,
        expire_at=now + timedelta(days=float(due)) if due else None,
        session_id=item.get("session", ""),
    )


def _trust(namespace: int, names: list[str], by: Actor) -> None:
    with isolation.transaction_for(by):
        Source.objects.filter(
            namespace_id=namespace, kind="user_input", name__in=names
        ).update(trust=Trust.TRUSTED)
        auditing.record("source.trust", by=by, sources=len(names))
