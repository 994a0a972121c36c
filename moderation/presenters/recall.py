"""What an agent would be given, and what was kept from it."""

from typing import Any

from django.db.models import Q
from django.utils import timezone

from memory_core.contracts.callers import Actor, Scope
from memory_core.contracts.recall import RecallQuery, RecallResult
from memory_core.models import Agent, Namespace, Owner
from memory_core.recall import engine


def recalled(asked: dict[str, Any], *, by: Actor) -> RecallResult:
    """Return the answer to a question, with all score parts; nothing is touched."""
    query = RecallQuery(
        owner_id=asked["owner"],
        query=asked["query"],
        as_of=asked.get("as_of"),
        explain=True,
        touch=False,
    )
    scope = _scope_of(asked["agent"], asked["owner"])
    return engine.search(by, scope, query, now=timezone.now())


def _scope_of(agent_name: str, owner_id: str) -> Scope:
    agent = Agent.objects.get(name=agent_name)
    reachable = Namespace.objects.filter(
        Q(pk=agent.namespace_id) | Q(grants__agent=agent, grants__can_read=True)
    )
    owner = Owner.objects.filter(external_id=owner_id).first()
    return Scope(
        owner=owner.pk if owner else 0,
        owner_id=owner_id,
        namespaces=tuple(reachable.values_list("pk", flat=True).distinct()),
    )
