"""Who is calling, and which rows they may reach."""

import ipaddress
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

from cachetools import TTLCache
from django.utils import timezone

from memory_core import digests, isolation
from memory_core.actions import denials
from memory_core.callers import caller_of, grants_of, is_valid
from memory_core.contracts.callers import Caller, Scope
from memory_core.contracts.tokens import is_well_formed
from memory_core.exceptions import (
    NamespaceNotWritable,
    OwnerNotAllowed,
    TokenRefused,
)
from memory_core.models import Owner, Token
from memory_core.recall import touches
from memory_core.saving import gates

CACHE_SECONDS = 3.0  # a revoked token must be dead everywhere within 5 s
CACHE_SIZE = 10_000

_cache: TTLCache[bytes, tuple[Token, Caller]] = TTLCache(CACHE_SIZE, CACHE_SECONDS)
_owners: TTLCache[str, int] = TTLCache(CACHE_SIZE, CACHE_SECONDS)
_lock = Lock()


def authenticate(
    secret: str, *, address: str = "", request_id: str = ""
) -> Caller | None:
    """Return the caller behind a token's secret, or None whatever is wrong with it.

    The use of a token that is known but not valid any more is put on the record.
    """
    if not is_well_formed(secret):
        return None
    found = _cached(digests.keyed("token", secret))
    if found is None:
        return None
    token, caller = found
    caller = replace(caller, request_id=request_id)
    if not is_valid(token, now=timezone.now()) or not _may_come_from(token, address):
        denials.record([TokenRefused()], by=caller)
        return None
    touches.note_use(caller)
    return caller


def read_scope(
    by: Caller, owner_id: str, *, namespaces: Sequence[str] | None = None
) -> Scope:
    """Return what the caller may read of an owner.

    Names that the caller may not read are dropped like names that do not exist; an
    owner outside the token's claim looks like one that is unknown (row id 0).
    """
    names = by.readable if namespaces is None else set(namespaces) & set(by.readable)
    ids = tuple(sorted(by.readable[name] for name in names))
    owner = _owner_row(owner_id) if by.may_see(owner_id) else 0
    return Scope(owner=owner, owner_id=owner_id, namespaces=ids)


def write_scope(by: Caller, owner_id: str, *, namespace: str = "") -> Scope:
    """Return where the caller may write for an owner; row id 0 if the owner is new.

    Raises OwnerNotAllowed or NamespaceNotWritable.
    """
    if not by.may_see(owner_id):
        raise OwnerNotAllowed()
    name = namespace or by.home
    if name not in by.writable:
        raise NamespaceNotWritable()
    return Scope(
        owner=_owner_row(owner_id),
        owner_id=owner_id,
        namespaces=(by.writable[name],),
    )


def forget_cached(digest: bytes | None = None) -> None:
    """Drop a token from this process's cache, or everything in it."""
    with _lock:
        if digest is None:
            _cache.clear()
            _owners.clear()
        else:
            _cache.pop(digest, None)


def _owner_row(owner_id: str) -> int:
    """Return the row id of an owner, 0 if there is none; known ones for 3 s at most.

    Who is being erased is known to nobody any more.
    """
    with _lock:
        known: int = _owners.get(owner_id, 0)
    if known:
        return known
    with isolation.agent_transaction():
        rows = Owner.objects.filter(external_id=owner_id).values_list("pk", flat=True)
        found: int = rows.first() or 0
        if found and gates.is_fenced(owner_id):
            found = 0
    if found:
        with _lock:
            _owners[owner_id] = found
    return found


def _cached(digest: bytes) -> tuple[Token, Caller] | None:
    with _lock:
        found = _cache.get(digest)
    if found is None and (found := _load(digest)):
        with _lock:
            _cache[digest] = found
    return found


def _load(digest: bytes) -> tuple[Token, Caller] | None:
    with isolation.agent_transaction():
        token = (
            Token.objects.select_related("agent__namespace", "namespace")
            .filter(digest=digest)
            .first()
        )
        if token is None:
            return None
        grants = grants_of(token)
    return token, caller_of(token, grants)


def _may_come_from(token: Token, address: str) -> bool:
    if not token.addresses:
        return True
    try:
        seen = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(
        seen in ipaddress.ip_network(network, strict=False)
        for network in token.addresses
    )
