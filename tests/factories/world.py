"""Agents, tokens and callers."""

from itertools import count

from memory_core.actions import access, agents, tokens
from memory_core.contracts.callers import Actor, Caller

BY = Actor("operator:test")
ALL_SCOPES = (
    "recall",
    "save",
    "delete",
    "consolidate",
    "export",
    "import",
    "source:user_input",
)
_numbers = count(1)


def make_token(
    name: str = "",
    *,
    scopes: tuple[str, ...] = ALL_SCOPES,
    shared: dict[str, str] | None = None,
    namespace: str = "",
    owner_claim: str = "",
    rate: int = 100_000,
) -> str:
    """Return the secret of a new token; `shared` maps namespace names to r, w, rw."""
    agent = agents.register(name=name or f"agent-{next(_numbers)}", by=BY)
    for space, rights in (shared or {}).items():
        agents.grant(
            agent=agent,
            namespace=agents.share_namespace(name=space, by=BY),
            read="r" in rights,
            write="w" in rights,
            by=BY,
        )
    home = agents.share_namespace(name=namespace, by=BY) if namespace else None
    secret, _ = tokens.issue(
        agent=agent,
        scopes=scopes,
        namespace=home,
        owner_claim=owner_claim,
        rate=rate,
        by=BY,
    )
    return secret


def make_caller(name: str = "", **options: object) -> Caller:
    """Return an authenticated caller (see `make_token` for the options)."""
    caller = access.authenticate(make_token(name, **options))  # type: ignore[arg-type]
    assert caller is not None
    return caller
