"""Who calls, and which rows they may touch: what every action is told."""

from collections.abc import Mapping
from dataclasses import dataclass, field

AGENT, OPERATOR = "agent:", "operator:"
"""How the names of those begin who act with a token, and at the console."""
OWNER_CLAIM_WILDCARD = "*"
"""At the end of an owner claim: every owner whose id begins with what is before it."""


def is_agent(name: str) -> bool:
    """Return whether an actor of that name acts with a token."""
    return name.startswith(AGENT)


def is_person(name: str) -> bool:
    """Return whether an actor of that name is somebody at the console."""
    return name.startswith(OPERATOR)


@dataclass(frozen=True, slots=True)
class Actor:
    """Whoever acts, as the audit log names them (`agent:demo`, `operator:lin`)."""

    name: str
    token_prefix: str = ""
    request_id: str = ""

    @property
    def is_person(self) -> bool:
        """Whether somebody at the console acts."""
        return is_person(self.name)


SYSTEM = Actor("system")


@dataclass(frozen=True, slots=True)
class Caller(Actor):
    """An agent with its token: scopes, namespaces by name, owner claim.

    `readable` and `writable` map namespace names to ids; `home` is where a write goes
    that names none. `owner_claim` is empty (any owner), an exact owner id, or a prefix
    that ends with `*`.
    """

    agent_id: int = 0
    token_id: int = 0
    home: str = ""
    scopes: frozenset[str] = frozenset()
    readable: Mapping[str, int] = field(default_factory=dict)
    writable: Mapping[str, int] = field(default_factory=dict)
    owner_claim: str = ""
    rate: int = 100

    def may_see(self, owner_id: str) -> bool:
        """Return whether the token's owner claim covers this owner."""
        claim = self.owner_claim
        if not claim:
            return True
        if claim.endswith(OWNER_CLAIM_WILDCARD):
            return owner_id.startswith(claim.removesuffix(OWNER_CLAIM_WILDCARD))
        return owner_id == claim


@dataclass(frozen=True, slots=True)
class Scope:
    """One owner within some namespaces: without it no memory row can be reached.

    `owner` is the row id, 0 for an owner that is unknown or not visible, so that a
    query for a stranger runs the same way and finds nothing.
    """

    owner: int
    owner_id: str
    namespaces: tuple[int, ...]
