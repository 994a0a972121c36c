"""Database roles and the least each needs; `manage.py roles` puts them in place.

`mneme_web` and `mneme_jobs` log in. `mneme_web` has no right of its own and may only
become `mneme_api` (agents' requests, behind row-level security) or `mneme_console`
(pages). `mneme_verify` reads, for the proof that nothing is left of an erased person.
"""

from collections.abc import Iterable, Iterator

from django.apps import apps
from django.db import connection, transaction
from psycopg import sql

from memory_core.config.databases import (
    API,
    CONSOLE,
    JOBS,
    VERIFY,
    WEB,
    role_password,
)

APPEND_ONLY = {"memory_core_auditentry", "memory_core_auditseal"}

# What an agent's request may do, by table of the core; everything else is shut.
API_READS = [
    "agent", "grant", "namespace", "token", "category", "categoryoverride",
    "embeddingmodel", "rankingprofile", "tombstone", "legalhold", "job",
    "source", "owner",
]  # fmt: skip
API_WRITES = {
    "memory": "SELECT, INSERT, UPDATE, DELETE",
    "memoryversion": "SELECT, INSERT, DELETE",
    "memoryvector": "SELECT, INSERT, UPDATE, DELETE",
    "memoryterm": "SELECT, INSERT, UPDATE, DELETE",
    "memoryuse": "SELECT, INSERT, UPDATE, DELETE",
    "corpus": "SELECT, INSERT, UPDATE, DELETE",
    "feedback": "SELECT, INSERT, DELETE",
    "recallevent": "SELECT",
    "recallsample": "SELECT, INSERT, DELETE",
    "idempotencyrecord": "SELECT, INSERT, UPDATE, DELETE",
    "source": "SELECT, INSERT, UPDATE",
    "owner": "SELECT, INSERT, UPDATE (external_id)",
    "job": "SELECT, INSERT",
    "auditentry": "SELECT, INSERT",
    "rawturns": "SELECT, INSERT, DELETE",
    "closedsession": "SELECT, INSERT",
    "writerblock": "SELECT, UPDATE (refused_writes)",
}

# Looked up by each statement, so that a fence or a restriction holds for all processes
# from its commit on, whatever they remember of the owner.
OWNER_IS_SET = (
    "owner_id = (SELECT o.id FROM memory_core_owner o"
    " WHERE o.id = current_setting('mneme.owner', true)::bigint"
    " AND o.fenced_at IS NULL AND o.restricted_by IS NULL)"
)
NAMESPACE_IS_SET = (
    "namespace_id = ANY ((SELECT"
    " current_setting('mneme.namespaces', true)::bigint[])::bigint[])"
)
BOTH_ARE_SET = f"{OWNER_IS_SET} AND {NAMESPACE_IS_SET}"
# Rows that an agent sees only under the owner and namespaces of its transaction.
POLICIES = {
    "memory": BOTH_ARE_SET,
    "memoryvector": BOTH_ARE_SET,
    "memoryterm": BOTH_ARE_SET,
    "corpus": BOTH_ARE_SET,
    "memoryuse": OWNER_IS_SET,
    "memoryversion": (
        "EXISTS (SELECT 1 FROM memory_core_memory m WHERE m.id = memory_id)"
    ),
    "feedback": BOTH_ARE_SET,
    "recallevent": BOTH_ARE_SET,
    "recallsample": BOTH_ARE_SET,
    "rawturns": BOTH_ARE_SET,
    "closedsession": BOTH_ARE_SET,
}

# Requests to be forgotten: an agent opens one, and sees those of one owner, whose
# digests stand in the setting, or counts its own, whose name stands in the other.
OWNER_IS_NAMED = (
    "encode(digest, 'hex') = ANY (string_to_array("
    "current_setting('mneme.subject', true), ','))"
)
CASES = {
    "caseidentifier": OWNER_IS_NAMED,
    "erasurecase": (
        "EXISTS (SELECT 1 FROM moderation_caseidentifier i"
        " WHERE i.case_id = moderation_erasurecase.id)"
        " OR created_by = current_setting('mneme.opener', true)"
    ),
}


AGENTS = (
    {f"memory_core_{name}": "SELECT" for name in API_READS}
    | {f"memory_core_{name}": rights for name, rights in API_WRITES.items()}
    | {f"moderation_{name}": "SELECT, INSERT" for name in CASES}
    | {"moderation_caseevent": "INSERT"}
)
"""What an agent's request may do, by the full name of the table."""


def put_in_place(*, key: bytes) -> list[str]:
    """Create or repair roles, grants and policies; return the roles' names.

    One table after the other: whoever is being served waits for one at most, and never
    in a circle.
    """
    make(key=key)
    with connection.cursor() as cursor:
        for group in _groups():
            with transaction.atomic():
                for statement in group:
                    cursor.execute(statement)
    return [API, CONSOLE, JOBS, VERIFY, WEB]


def make(*, key: bytes) -> None:
    """Create or repair the roles alone, which a dump's policies name."""
    with transaction.atomic(), connection.cursor() as cursor:
        for role in (API, CONSOLE, VERIFY):
            _role(cursor, role, "NOLOGIN")
        for role in (JOBS, WEB):
            _role(cursor, role, "LOGIN")
            cursor.execute(
                sql.SQL("ALTER ROLE {} PASSWORD {}").format(
                    sql.Identifier(role), sql.Literal(role_password(key, role))
                )
            )


def _role(cursor: object, role: str, login: str) -> None:
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])  # type: ignore[attr-defined]
    verb = "ALTER" if cursor.fetchone() else "CREATE"  # type: ignore[attr-defined]
    cursor.execute(  # type: ignore[attr-defined]
        f"{verb} ROLE {role} {login} NOSUPERUSER NOCREATEDB NOCREATEROLE"
        " NOINHERIT NOBYPASSRLS"
    )


def _groups() -> Iterator[Iterable[str]]:
    everyone = f"{API}, {CONSOLE}, {JOBS}, {VERIFY}"
    yield (
        f"GRANT {API}, {CONSOLE} TO {WEB} WITH INHERIT FALSE, SET TRUE",
        f"GRANT {VERIFY} TO {JOBS} WITH INHERIT FALSE, SET TRUE",
        f"GRANT USAGE ON SCHEMA public TO {everyone}",
        f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {API}, {CONSOLE}, {JOBS}",
    )
    models = apps.get_models(include_auto_created=True)
    tables = sorted(model._meta.db_table for model in models)
    yield _rights_of("django_migrations", "")
    for table in tables:
        rights = "INSERT" if table in APPEND_ONLY else "INSERT, UPDATE, DELETE"
        yield (*_rights_of(table, rights), *_policies_of(table))


def _rights_of(table: str, people: str) -> Iterator[str]:
    yield f"REVOKE ALL ON {table} FROM {API}, {CONSOLE}, {JOBS}, {VERIFY}"
    yield f"GRANT SELECT ON {table} TO {VERIFY}, {JOBS}, {CONSOLE}"
    if people:
        yield f"GRANT {people} ON {table} TO {CONSOLE}, {JOBS}"
    if rights := AGENTS.get(table):
        yield f"GRANT {rights} ON {table} TO {API}"


def _policies_of(table: str) -> Iterator[str]:
    room, _, name = table.rpartition("_")
    policies: dict[str, str] = {}
    if room == "memory_core" and name in POLICIES:
        own = POLICIES[name]
        people = f"TO {CONSOLE}, {JOBS}, {VERIFY} USING (true) WITH CHECK (true)"
        policies = {
            "of_agents": f"TO {API} USING ({own}) WITH CHECK ({own})",
            "of_people": people,
        }
    elif room == "moderation" and name in CASES:
        policies = {
            "seen_by_agents": f"FOR SELECT TO {API} USING ({CASES[name]})",
            "opened_by_agents": f"FOR INSERT TO {API} WITH CHECK (true)",
            "of_people": f"TO {CONSOLE}, {JOBS}, {VERIFY} USING (true)",
        }
    if policies:
        yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
    for policy, rule in policies.items():
        yield f"DROP POLICY IF EXISTS {name}_{policy} ON {table}"
        yield f"CREATE POLICY {name}_{policy} ON {table} {rule}"
