"""Tokens: shown once, kept as a digest, rotated with an overlap, revoked at once."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from memory_core import auditing, digests, isolation, locks
from memory_core.actions import writer_blocks
from memory_core.actions.access import forget_cached
from memory_core.contracts.callers import Actor
from memory_core.contracts.tokens import SCOPES, new_secret, prefix_of
from memory_core.exceptions import InvalidInput, TokenBlocked, TransitionRefused
from memory_core.models import Agent, Namespace, Token

LONGEST_OVERLAP = timedelta(hours=24)
DEFAULT_RATE = 100


def issue(
    *,
    agent: Agent,
    scopes: Sequence[str],
    by: Actor,
    namespace: Namespace | None = None,
    owner_claim: str = "",
    rate: int = DEFAULT_RATE,
    expires_at: datetime | None = None,
    addresses: Sequence[str] = (),
) -> tuple[str, Token]:
    """Return the secret, which is shown this once, and the token.

    Raises InvalidInput for an unknown scope. The agent's namespaces are raised to the
    token's rate, so that the token can use what it was given.
    """
    if unknown := set(scopes) - set(SCOPES):
        raise InvalidInput(
            f"Unknown scopes: {', '.join(sorted(unknown))}."
            f" Known are {', '.join(SCOPES)}."
        )
    secret = new_secret()
    with isolation.transaction_for(by):
        token = Token.objects.create(
            agent=agent,
            prefix=prefix_of(secret),
            digest=digests.keyed("token", secret),
            scopes=sorted(set(scopes)),
            namespace=namespace,
            owner_claim=owner_claim,
            addresses=list(addresses),
            rate=rate,
            expires_at=expires_at,
        )
        reachable = Namespace.objects.filter(
            grants__agent=agent
        ) | Namespace.objects.filter(pk=agent.namespace_id)
        Namespace.objects.filter(pk__in=reachable.values("pk"), rate__lt=rate).update(
            rate=rate
        )
        auditing.record(
            "token.issue",
            by=by,
            agent=agent.name,
            token=token.prefix,
            scopes=token.scopes,
        )
    return secret, token


def rotate(
    *, token: Token, by: Actor, now: datetime, overlap: timedelta = timedelta(hours=1)
) -> tuple[str, Token]:
    """Return a new secret and token with the same rights.

    The old one works on for `overlap` (at most 24 hours), then no more. Raises
    TransitionRefused for one that was revoked or rotated before, TokenBlocked while a
    block of its writes stands, from which the new one would be free.
    """
    if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
        raise InvalidInput("An overlap lasts from 0 to 24 hours.")
    with isolation.transaction_for(by):
        locks.stop_writer(token.agent_id)  # as a block does, before any row
        known = Token.objects.select_for_update(of=("self",)).get(pk=token.pk)
        if known.revoked_at is not None:
            raise TransitionRefused(
                "It was revoked or rotated already.", why="token_ended"
            )
        if writer_blocks.standing(known, now=now):
            raise TokenBlocked()
        secret, successor = issue(
            agent=token.agent,
            scopes=token.scopes,
            by=by,
            namespace=token.namespace,
            owner_claim=token.owner_claim,
            rate=token.rate,
            expires_at=token.expires_at,
            addresses=token.addresses,
        )
        token.revoked_at = now + overlap
        token.successor = successor
        token.save(update_fields=["revoked_at", "successor"])
        auditing.record(
            "token.rotate", by=by, token=token.prefix, successor=successor.prefix
        )
    forget_cached(bytes(token.digest))
    return secret, successor


def revoke(*, token: Token, by: Actor, now: datetime) -> Token:
    """Return the token, refused from now on (in other processes within seconds)."""
    with isolation.transaction_for(by):
        Token.objects.filter(pk=token.pk).exclude(revoked_at__lte=now).update(
            revoked_at=now
        )
        token.refresh_from_db(fields=["revoked_at"])
        auditing.record("token.revoke", by=by, token=token.prefix)
    forget_cached(bytes(token.digest))
    return token
