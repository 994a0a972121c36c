"""A token's row -> the caller that acts with it."""

from collections.abc import Iterable
from datetime import datetime

from memory_core.contracts.callers import AGENT, Caller
from memory_core.models import Grant, Token


def caller_of(token: Token, grants: Iterable[Grant]) -> Caller:
    """Return the caller of a token, with what its agent's grants allow."""
    grants = list(grants)
    home = token.agent.namespace
    readable = {home.name: home.pk}
    writable = {home.name: home.pk}
    readable |= {g.namespace.name: g.namespace_id for g in grants if g.can_read}
    writable |= {g.namespace.name: g.namespace_id for g in grants if g.can_write}
    return Caller(
        name=f"{AGENT}{token.agent.name}",
        token_prefix=token.prefix,
        agent_id=token.agent_id,
        token_id=token.pk,
        home=token.namespace.name if token.namespace else home.name,
        scopes=frozenset(token.scopes),
        readable=readable,
        writable=writable,
        owner_claim=token.owner_claim,
        rate=token.rate,
    )


def grants_of(token: Token) -> list[Grant]:
    """Return the grants of a token's agent, with their namespaces."""
    rows = Grant.objects.filter(agent=token.agent_id)
    return list(rows.select_related("namespace"))


def is_valid(token: Token, *, now: datetime) -> bool:
    """Return whether a token may act at this moment."""
    return (
        (token.revoked_at is None or token.revoked_at > now)
        and (token.expires_at is None or token.expires_at > now)
        and token.agent.disabled_at is None
    )
