"""Row-level security: the database role of a transaction and the rows it may see.

This is the second wall, behind the querysets. The web process logs in as a role without
grants. An agent's request switches to `mneme_api`, for which row-level security shows
only the owner and the namespaces that were set for this transaction; a page switches to
`mneme_console`. Jobs log in as their own role and pass through here unchanged.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from memory_core.config.databases import API, CONSOLE, VERIFY
from memory_core.contracts.callers import Actor, Caller, Scope
from memory_core.prepared import fetch, in_one_go, run

BECOME = "set_config('role', %s, true)"
NARROW = "set_config('mneme.owner', %s, true), set_config('mneme.namespaces', %s, true)"

# What agents' calls run again and again is by index, and planned once a connection.
# Not for people's pages: they ask across owners, where a bitmap scan may be best.
KEEP_PLANS = (
    "set_config('plan_cache_mode', 'force_generic_plan', true),"
    " set_config('enable_seqscan', 'off', true),"
    " set_config('enable_bitmapscan', 'off', true)"
)


@dataclass(frozen=True, slots=True)
class Also:
    """An expression that a transaction's first statement evaluates, with its values."""

    expression: str
    values: tuple[Any, ...] = ()


NOTHING = Also("true")


@contextmanager
def agent_transaction(
    scope: Scope | None = None, also: Also = NOTHING
) -> Iterator[None]:
    """Run a transaction as `mneme_api`, narrowed to `scope` (None: no memory)."""
    with _role_transaction(API, scope, also):
        yield


@contextmanager
def searching_for(by: Actor, scope: Scope) -> Iterator[None]:
    """Run a transaction for `by` that only fetches, and spares round trips.

    See `prepared.in_one_go` for what may be used in it.
    """
    nested = connection.in_atomic_block
    with transaction.atomic(), in_one_go():
        if not isinstance(by, Caller):
            yield
            return
        with _as_role(API, scope, NOTHING, nested=nested):
            yield


@contextmanager
def console_transaction() -> Iterator[None]:
    """Run a transaction as `mneme_console`."""
    with _role_transaction(CONSOLE):
        yield


@contextmanager
def verifier_transaction() -> Iterator[None]:
    """Run a transaction as `mneme_verify`, which may read everything and write nothing.

    For jobs and the owner; both may become it.
    """
    with transaction.atomic():
        before = _current_role()
        run(f"SELECT {BECOME}", [VERIFY])
        yield
        run(f"SELECT {BECOME}", [before])


@contextmanager
def transaction_for(
    by: Actor, scope: Scope | None = None, also: Also = NOTHING
) -> Iterator[None]:
    """Run a transaction with the rights of whoever acts.

    An agent's runs as `mneme_api`; a person's page has switched its role already, and
    a job or command has logged in as its own.
    """
    if isinstance(by, Caller):
        with agent_transaction(scope, also):
            yield
    else:
        with transaction.atomic():
            if also is not NOTHING:
                run(f"SELECT {also.expression}", also.values)
            yield


def narrow(scope: Scope | None) -> None:
    """Tell row-level security the owner and namespaces of this transaction."""
    run(f"SELECT {NARROW}", _limits(scope))


@contextmanager
def _role_transaction(
    role: str, scope: Scope | None = None, also: Also = NOTHING
) -> Iterator[None]:
    """Switch for one transaction."""
    nested = connection.in_atomic_block
    with transaction.atomic(), _as_role(role, scope, also, nested=nested):
        yield


@contextmanager
def _as_role(
    role: str, scope: Scope | None, also: Also, *, nested: bool
) -> Iterator[None]:
    """Switch the open transaction; inside another one, switch back at the end."""
    switches = settings.PROCESS != "jobs"
    before = _current_role() if nested else ""
    become, names = (f"{BECOME}, ", [role]) if switches else ("", [])
    plans = f"{KEEP_PLANS}, " if role == API else ""
    run(
        f"SELECT {become}{NARROW}, {plans}{also.expression}",
        [*names, *_limits(scope), *also.values],
    )
    yield
    if nested and switches:
        run(f"SELECT {BECOME}", [before])


def _limits(scope: Scope | None) -> list[str]:
    owner = str(scope.owner) if scope else "0"
    spaces = ",".join(map(str, scope.namespaces)) if scope else ""
    return [owner, f"{{{spaces}}}"]


def _current_role() -> str:
    role: str = fetch("SELECT current_setting('role')")[0][0]
    return role
