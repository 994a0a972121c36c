"""Agents and the namespaces they share."""

from datetime import datetime

from memory_core import auditing, isolation
from memory_core.contracts.callers import AGENT, Actor
from memory_core.contracts.enums import NamespaceKind
from memory_core.exceptions import InvalidInput
from memory_core.models import Agent, Grant, Namespace

HOME_MARK = AGENT
"""Each agent's own namespace is called as the agent is in the audit log."""


def register(*, name: str, by: Actor) -> Agent:
    """Return the agent of that name, made with its private namespace if it is new."""
    with isolation.transaction_for(by):
        if found := Agent.objects.filter(name=name).first():
            return found
        home = Namespace.objects.create(
            name=f"{HOME_MARK}{name}", kind=NamespaceKind.PRIVATE
        )
        agent = Agent.objects.create(name=name, namespace=home)
        auditing.record("agent.register", by=by, namespace=home.name, agent=name)
        return agent


def disable(*, agent: Agent, by: Actor, now: datetime) -> Agent:
    """Return the agent, whose tokens are refused from now on."""
    with isolation.transaction_for(by):
        agent.disabled_at = now
        agent.save(update_fields=["disabled_at"])
        auditing.record("agent.disable", by=by, agent=agent.name)
        return agent


def enable(*, agent: Agent, by: Actor) -> Agent:
    """Return the agent, whose tokens are taken again unless revoked or expired."""
    with isolation.transaction_for(by):
        agent.disabled_at = None
        agent.save(update_fields=["disabled_at"])
        auditing.record("agent.enable", by=by, agent=agent.name)
        return agent


def share_namespace(*, name: str, by: Actor) -> Namespace:
    """Return the shared namespace of that name, made if it is new.

    Raises InvalidInput for a name that belongs to an agent's private namespace.
    """
    if name.startswith(HOME_MARK):
        raise InvalidInput(
            f"Names that begin with {HOME_MARK!r} are private; choose another.",
            field="namespace",
            why="private_name",
        )
    with isolation.transaction_for(by):
        namespace, made = Namespace.objects.get_or_create(
            name=name, defaults={"kind": NamespaceKind.SHARED}
        )
        if made:
            auditing.record("namespace.create", by=by, namespace=name)
        return namespace


def grant(
    *, agent: Agent, namespace: Namespace, read: bool, write: bool, by: Actor
) -> Grant:
    """Return the agent's grant in a shared namespace, set to these rights."""
    if namespace.kind == NamespaceKind.PRIVATE:
        raise InvalidInput(
            "A private namespace cannot be granted.",
            field="namespace",
            why="private_namespace",
        )
    with isolation.transaction_for(by):
        granted, _ = Grant.objects.update_or_create(
            agent=agent,
            namespace=namespace,
            defaults={"can_read": read, "can_write": write},
        )
        auditing.record(
            "grant.set",
            by=by,
            namespace=namespace.name,
            agent=agent.name,
            read=read,
            write=write,
        )
        return granted


def withdraw(*, grant: Grant, by: Actor) -> None:
    """Take a grant away."""
    with isolation.transaction_for(by):
        auditing.record(
            "grant.withdraw",
            by=by,
            namespace=grant.namespace.name,
            agent=grant.agent.name,
        )
        grant.delete()
