"""Agents with their namespaces, grants and tokens, and what is odd about them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from memory_core.contracts.tokens import SCOPES
from memory_core.models import Agent, Namespace, Token

UNUSED = timedelta(days=90)
BROAD = len(SCOPES) - 2


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token with its state in words and what to look at."""

    token: Token
    state: str
    warnings: list[str]


def tokens_of(agent: Agent, *, now: datetime) -> list[TokenRow]:
    """Return an agent's tokens, the newest first."""
    rows = agent.tokens.select_related("namespace").order_by("-pk")
    return [TokenRow(one, _state(one, now), _warnings(one, now)) for one in rows]


def all_agents() -> list[Agent]:
    """Return every agent by name, with namespace and tokens at hand."""
    rows = Agent.objects.select_related("namespace").order_by("name")
    return list(rows.prefetch_related("tokens", "grants__namespace"))


def shared_namespaces() -> list[Namespace]:
    """Return the namespaces that can be granted."""
    return list(Namespace.objects.filter(kind="shared").order_by("name"))


def _state(token: Token, now: datetime) -> str:
    if token.revoked_at and token.revoked_at <= now:
        return _("revoked")
    if token.expires_at and token.expires_at <= now:
        return _("expired")
    if token.revoked_at:
        return _("being replaced")
    return _("live")


def _warnings(token: Token, now: datetime) -> list[str]:
    if token.revoked_at and token.revoked_at <= now:
        return []
    found = []
    if token.last_used_at is None:
        found.append(_("never used"))
    elif now - token.last_used_at > UNUSED:
        found.append(_("unused for 90 days"))
    if token.expires_at is None:
        found.append(_("does not expire"))
    if len(token.scopes) >= BROAD:
        found.append(_("nearly all scopes"))
    return found
