"""A full store, made in the database: every state, kind, category and size of owner."""

from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import Status
from memory_core.models import Memory, Namespace, Owner, Source
from moderation.actions import team

PEOPLE, SPACES, NAMES = 5_000, 3, 60
KINDS = ("user_input", "inference", "tool_result", "import")
RARE = 2_000
"""One memory of so many is of a kind or state that is seldom."""

MEMORIES = f"""
INSERT INTO memory_core_memory (id, namespace_id, owner_id, source_id, category_id,
  tier, status, content, content_digest, text_key, subject, entities, tags, metadata,
  importance, confidence, session_id, observed_at, until, archived_at, external_id,
  derived_from, related, lineage_trust, decision, verdict, rules_version, embedding,
  version, token_prefix, reviewed_by, created_at, updated_at)
SELECT uuidv7(), s.namespace_id, %(owner)s + (n * 7919) %% {PEOPLE}, s.id,
  1 + n %% 8, 'long', state, 'sentence ' || n || ' of somebody', sha256(n::text::bytea),
  sha256(n::text::bytea), '', '{{}}', '{{}}', '{{}}', 0.5, 1.0, '', now(),
  CASE WHEN state = {Status.SUPERSEDED:d} THEN now() END,
  CASE WHEN state = {Status.ARCHIVED:d} THEN now() END, '', '{{}}', '{{}}', 3,
  '{{}}', '{{}}', 'bench', 'ready', 1, '', '', now(), now()
FROM (SELECT n, CASE
    WHEN n %% %(every)s = 0 THEN {Status.PENDING:d}
    WHEN n %% 20 = 1 THEN {Status.ARCHIVED:d}
    WHEN n %% 33 = 2 THEN {Status.SUPERSEDED:d}
    WHEN n %% {RARE} = 3 THEN {Status.REJECTED:d}
    ELSE {Status.ACTIVE:d} END AS state
  FROM generate_series(1::bigint, %(rows)s) n) t
JOIN LATERAL (SELECT id, namespace_id FROM memory_core_source
  WHERE id = (%(sources)s::bigint[])[1 + n %% {SPACES * NAMES}]) s ON true
"""
WITHOUT_COPIES = "ALTER TABLE memory_core_memory DISABLE TRIGGER USER"
USES = """
INSERT INTO memory_core_memoryuse (memory_id, owner_id, base_score, access_count)
SELECT id, owner_id, 0.6, 0 FROM memory_core_memory
"""
EVENTS = f"""
INSERT INTO memory_core_recallevent (recall_id, memory_id, owner_id, namespace_id,
  agent_id, token_prefix, rank, score, at)
SELECT gen_random_uuid(), m.id, m.owner_id, m.namespace_id, 1, '',
  1 + (random() * 4)::int, random(), now() - random() * interval '30 days'
FROM (SELECT * FROM memory_core_memory WHERE status = {Status.ACTIVE:d}
       LIMIT %(rows)s / 50) m, generate_series(1, 20)
"""
ENTRIES = """
INSERT INTO memory_core_auditentry (at, actor, actor_token, action, outcome, namespace,
  owner_digest, content_digest, request_id, details)
SELECT now() - n * interval '30 seconds', 'agent:x', '', 'recall', 'done', '', '', '',
  '', '{"returned": 3}' FROM generate_series(1, %(rows)s) n
"""


def fill(rows: int, *, held: int) -> None:
    """Store `rows` memories, of which `held` wait, with what was recalled of them.

    There are half as many audit entries, and two recalls of a memory for five of them.
    """
    people = [Owner(external_id=f"person-{n}") for n in range(PEOPLE)]
    first = Owner.objects.bulk_create(people)[0].pk
    values: dict[str, Any] = {
        "owner": first,
        "rows": rows,
        "every": max(2, rows // held),
        "sources": _sources(),
    }
    with connection.cursor() as cursor:
        cursor.execute(WITHOUT_COPIES)
        cursor.execute(MEMORIES, values)
        cursor.execute(USES)
        cursor.execute(EVENTS, {"rows": rows})
        cursor.execute(ENTRIES, {"rows": rows // 2})
        cursor.execute("VACUUM ANALYZE")


def cookie() -> str:
    """Return the session of a signed-in admin."""
    user, _password = team.add_operator(
        username="bench", role="admin", by=Actor("operator:bench")
    )
    client = Client()
    client.force_login(
        User.objects.get(pk=user.pk),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    return client.cookies["sessionid"].value


def known() -> dict[str, object]:
    """Return what addresses of pages name: states, and a place deep in the queue."""
    pending = Memory.unscoped.pending().order_by("pk").values_list("pk", flat=True)
    return {
        "deep": pending[pending.count() // 2],
        "source": Source.objects.filter(kind=KINDS[1]).order_by("pk")[0].pk,
        "archived": int(Status.ARCHIVED),
        "rejected": int(Status.REJECTED),
    }


def _sources() -> list[int]:
    """Return sources of every kind, tools and files seldom, in each namespace."""
    spaces = [
        Namespace.objects.create(name=f"space-{n}", kind="shared")
        for n in range(SPACES)
    ]
    kinds = [KINDS[0]] * (NAMES - 5) + [KINDS[1]] * 3 + [KINDS[2], KINDS[3]]
    rows = [
        Source(namespace=space, kind=kind, key=f"{kind}-{n}", name=f"{kind}-{n}")
        for space in spaces
        for n, kind in enumerate(kinds)
    ]
    return [row.pk for row in Source.objects.bulk_create(rows)]
