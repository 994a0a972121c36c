"""The person's identifiers, looked for in every text column of every table."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

from memory_core.contracts.erasure import Holds, Residue, Subject, Treatment
from memory_core.erasure.patterns import pattern_of_all
from memory_core.erasure.verification.rows import MEMORY, columns_of, held_rows
from memory_core.models import Memory, Owner, Source

OURS = ("memory_core", "moderation", "api")
"""Apps with tables about the persons of memories; the others know staff only."""
OF_OPERATORS = {
    "memory_core.agent.name",
    "memory_core.namespace.name",
    "memory_core.rankingprofile.name",
}
"""Names that operators gave to agents and spaces: they are not found by this."""


def by_text(subject: Subject, holds: Holds) -> Iterator[Residue]:
    """Yield in how many rows of each table an identifier stands."""
    pattern = pattern_of_all(subject.names)
    if not pattern:
        return
    for app in OURS:
        for model in apps.get_app_config(app).get_models(include_auto_created=True):
            if columns := text_columns(model):
                count = _count(model, columns, pattern, subject, holds)
                yield Residue("text", model._meta.label_lower, count)


def text_columns(model: type[models.Model]) -> list[str]:
    """Return the columns of a table that can hold words, JSON and lists included."""
    label = model._meta.label_lower
    kinds = (models.CharField, models.TextField, models.JSONField, ArrayField)
    return [
        str(field.column)
        for field in model._meta.concrete_fields
        if isinstance(field, kinds) and f"{label}.{field.name}" not in OF_OPERATORS
    ]


def _count(
    model: type[models.Model],
    columns: list[str],
    pattern: str,
    subject: Subject,
    holds: Holds,
) -> int:
    places = columns_of(model)
    held, values = _held(model, subject, holds)
    kept, decided = _kept(places, subject)
    texts = ", ".join(f'"{column}"::text' for column in columns)
    statement = (
        f"SELECT count(*) FROM {model._meta.db_table}"
        f" WHERE concat_ws(' ', {texts}) ~* %s AND NOT {held} AND NOT {kept}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [pattern, *values, *decided])
        return int(cursor.fetchone()[0])


def _held(
    model: type[models.Model], subject: Subject, holds: Holds
) -> tuple[str, list[Any]]:
    """Rows under a hold; the sources of such memories; owners are looked for by key."""
    if model is Owner:
        return "id = ANY(%s::bigint[])", [list(subject.rows)]
    held, values = held_rows(columns_of(model), holds)
    if model is not Source:
        return held, values
    memories, more = held_rows(columns_of(Memory), holds)
    used = f"id IN (SELECT source_id FROM memory_core_memory WHERE {memories})"
    return f"({held} OR {used})", [*values, *more]


def _kept(places: dict[str, str], subject: Subject) -> tuple[str, list[Any]]:
    """What people decided to keep, with a stated ground: memories, their versions."""
    if MEMORY not in places:
        return "false", []
    kept = [k for k, v in (subject.mentions or {}).items() if v == Treatment.KEEP]
    return f"coalesce({places[MEMORY]} = ANY(%s::uuid[]), false)", [kept]
