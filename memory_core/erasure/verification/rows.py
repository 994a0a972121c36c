"""Rows that still point to an owner, in whatever table."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import connection, models

from memory_core.contracts.erasure import Holds, Residue, Subject
from memory_core.keys import tombstones
from memory_core.models import Memory, Namespace, Owner, Tombstone

OWNER, NAMESPACE, MEMORY = "owner_id", "namespace_id", "memory_id"


def by_key(subject: Subject, holds: Holds) -> Iterator[Residue]:
    """Yield how many rows of each table name one of the owners by row id."""
    for model in apps.get_models(include_auto_created=True):
        places = columns_of(model)
        if OWNER not in places:
            continue
        held, values = held_rows(places, holds)
        statement = (
            f"SELECT count(*) FROM {model._meta.db_table}"
            f" WHERE {places[OWNER]} = ANY(%s::bigint[]) AND NOT {held}"
        )
        with connection.cursor() as cursor:
            cursor.execute(statement, [list(subject.rows), *values])
            yield Residue("key", model._meta.label_lower, cursor.fetchone()[0])
    rows = Owner.objects.filter(pk__in=subject.rows)
    left = [row.pk for row in rows if not _has_held(row.pk, holds)]
    yield Residue("key", Owner._meta.label_lower, len(left))


def by_digest(subject: Subject, holds: Holds) -> Iterator[Residue]:
    """Yield how many owners there are whose id is one of the erased identifiers."""
    wanted = {
        one.digest
        for name in subject.names
        for one in tombstones.digests_of(name.kind, name.value)
    }
    standing = Tombstone.objects.filter(digest__in=wanted, lifted_at=None)
    erased = {bytes(digest) for digest in standing.values_list("digest", flat=True)}
    found = 0
    owners = Owner.objects.values_list("pk", "external_id")
    for pk, external_id in owners.iterator(chunk_size=5_000):
        under = {one.digest for one in tombstones.standing_for(external_id)}
        found += bool(under & erased) and not _has_held(pk, holds)
    yield Residue("digest", Owner._meta.label_lower, found)


def columns_of(model: type[models.Model]) -> dict[str, str]:
    """Return the columns by which rows have an owner, a namespace and a memory."""
    found: dict[str, str] = {}
    if model is Memory:
        found[MEMORY] = "id"
    for field in model._meta.concrete_fields:
        target = field.remote_field.model if field.remote_field else None
        if target is Owner or field.attname == OWNER:
            found[OWNER] = str(field.column)
        elif target is Namespace or field.attname == NAMESPACE:
            found[NAMESPACE] = str(field.column)
        elif (target is Memory and model is not Memory) or field.attname == MEMORY:
            found[MEMORY] = str(field.column)
    return found


def held_rows(places: dict[str, str], holds: Holds) -> tuple[str, list[Any]]:
    """Return SQL that is true for rows under a legal hold, with its values."""
    reach: dict[str, list[Any]] = {
        OWNER: list(holds.owners),
        NAMESPACE: list(holds.namespaces),
        MEMORY: list(holds.memories),
    }
    kinds = {OWNER: "bigint", NAMESPACE: "bigint", MEMORY: "uuid"}
    parts = [f"{places[k]} = ANY(%s::{kinds[k]}[])" for k in reach if k in places]
    values: list[Any] = [reach[k] for k in reach if k in places]
    return f"coalesce({' OR '.join(parts) or 'false'}, false)", values


def _has_held(owner: int, holds: Holds) -> bool:
    """The row of an owner stays for what is held of theirs."""
    if owner in holds.owners:
        return True
    rows = Memory.unscoped.filter(owner=owner)
    held = rows.filter(pk__in=holds.memories) | rows.filter(
        namespace__in=holds.namespaces
    )
    return held.exists()
