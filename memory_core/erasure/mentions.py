"""Other owners' memories in which a person occurs, and how their words go."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from memory_core import auditing, digests, locks
from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import Holds, Identifier, Mention, Subject
from memory_core.erasure.patterns import kinds_in, pattern_of_all, redact
from memory_core.models import Memory, MemoryVersion
from memory_core.queueing import enqueue
from memory_core.saving import storage
from memory_core.saving.texts import key_of

MOST_LISTED = 1_000
PLACES = ("session_id", "external_id")
"""Names of the caller's own: emptied, since a mark would make them clash."""

TEXTS = """
concat_ws(' ', m.content, m.subject, array_to_string(m.entities, ' '),
          array_to_string(m.tags, ' '), m.metadata::text, m.session_id, m.external_id)
"""
FOUND = f"""
WITH found AS (
  SELECT m.id FROM memory_core_memory m
   WHERE m.owner_id <> ALL(%(rows)s::bigint[]) AND {TEXTS} ~* %(pattern)s
  UNION
  SELECT m.id FROM memory_core_memoryversion v
    JOIN memory_core_memory m ON m.id = v.memory_id
   WHERE m.owner_id <> ALL(%(rows)s::bigint[])
     AND concat_ws(' ', v.content, v.values::text) ~* %(pattern)s)
"""
IDS = f"{FOUND} SELECT id FROM found ORDER BY id"
LISTED = f"""
{FOUND}
SELECT m.id, o.external_id, n.name, m.content,
       concat_ws(' ', {TEXTS}, (SELECT string_agg(
         concat_ws(' ', v.content, v.values::text), ' ')
         FROM memory_core_memoryversion v WHERE v.memory_id = m.id))
  FROM found f JOIN memory_core_memory m ON m.id = f.id
  JOIN memory_core_owner o ON o.id = m.owner_id
  JOIN memory_core_namespace n ON n.id = m.namespace_id
 ORDER BY m.id LIMIT {MOST_LISTED}
"""


def ids_of(subject: Subject) -> list[UUID]:
    """Return the ids of other owners' memories that name the person, in order."""
    return [row[0] for row in _asked(IDS, subject)]


def of(subject: Subject) -> tuple[Mention, ...]:
    """Return the first thousand of them, with their texts."""
    names = subject.names
    return tuple(
        Mention(memory_id, owner_id, namespace, content, kinds_in(texts, names))
        for memory_id, owner_id, namespace, content, texts in _asked(LISTED, subject)
    )


def held(ids: Iterable[UUID], holds: Holds) -> set[UUID]:
    """Return those of the memories that a legal hold protects."""
    reach = (
        Q(pk__in=holds.memories)
        | Q(owner__in=holds.owners)
        | Q(namespace__in=holds.namespaces)
    )
    rows = Memory.unscoped.filter(reach, pk__in=list(ids))
    return set(rows.values_list("pk", flat=True))


def redact_memory(
    memory_id: UUID, names: Sequence[Identifier], *, by: Actor, now: datetime
) -> bool:
    """Put a mark in the place of the person's names; return whether there were any.

    Vector, terms and digests follow the new text; what it said before is redacted too.
    """
    memory = Memory.unscoped.filter(pk=memory_id).first()
    if memory is None:
        return False
    locks.lock_owner(owner=memory.owner_id, namespace=memory.namespace_id)
    locked = Memory.unscoped.select_for_update(of=("self",)).filter(pk=memory_id)
    memory = locked.first()
    if memory is None:
        return False
    older = _redact_versions(memory, names)
    if not _redact_row(memory, names):
        return older
    memory.version += 1
    memory.updated_at = now
    storage.reindex(memory, placed=None, keep_vectors=False)
    auditing.record(
        "erasure.redact",
        by=by,
        memory_id=memory.pk,
        content=memory.content,
        version=memory.version,
    )
    enqueue("embed_memory", str(memory.pk))
    return True


def without(value: Any, names: Sequence[Identifier]) -> Any:
    """Return a JSON value with a mark in the place of the names, keys included."""
    if isinstance(value, str):
        return redact(value, names)
    if isinstance(value, list):
        return [without(one, names) for one in value]
    if isinstance(value, dict):
        return {redact(key, names): without(one, names) for key, one in value.items()}
    return value


def _redact_row(memory: Memory, names: Sequence[Identifier]) -> bool:
    values: dict[str, Any] = {
        "content": redact(memory.content, names),
        "subject": redact(memory.subject, names),
        "metadata": without(memory.metadata, names),
        "entities": _unnamed(memory.entities, names),
        "tags": _unnamed(memory.tags, names),
    }
    values |= {name: _or_empty(getattr(memory, name), names) for name in PLACES}
    changed = {k: v for k, v in values.items() if getattr(memory, k) != v}
    for name, value in changed.items():
        setattr(memory, name, value)
    if "content" in changed:
        memory.content_digest = digests.of_content(memory.content)
        memory.text_key = key_of(memory.content)
    return bool(changed)


def _redact_versions(memory: Memory, names: Sequence[Identifier]) -> bool:
    is_changed = False
    for version in MemoryVersion.objects.filter(memory=memory):
        content, values = redact(version.content, names), without(version.values, names)
        if (content, values) != (version.content, version.values):
            version.content, version.values = content, values
            version.save(update_fields=["content", "values"])
            is_changed = True
    return is_changed


def _unnamed(words: Iterable[str], names: Sequence[Identifier]) -> list[str]:
    return [word for word in words if redact(word, names) == word]


def _or_empty(word: str, names: Sequence[Identifier]) -> str:
    return word if redact(word, names) == word else ""


def _asked(statement: str, subject: Subject) -> list[tuple[Any, ...]]:
    pattern = pattern_of_all(subject.names)
    if not pattern:
        return []
    with connection.cursor() as cursor:
        cursor.execute(statement, {"rows": list(subject.rows), "pattern": pattern})
        return list(cursor.fetchall())
