"""What waits in groups: the same words for many people, one source for one reason."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import Count, Min, QuerySet, TextField
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from memory_core.contracts.enums import SourceKind
from memory_core.models import Memory
from moderation.waiting import Chosen

By = Literal["source", "words"]
SHOWN = 50


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories that wait and have something in common, with one of them as an example.

    `source` and `reasons` are empty for a cluster of the same words.
    """

    number: int
    owners: int
    oldest: datetime
    example: str
    source: str
    reasons: tuple[str, ...]
    chosen: Chosen


def clusters(*, by: By) -> list[Cluster]:
    """Return the largest clusters of at least two memories, the largest first."""
    if by == "words":
        return [_of_words(row) for row in _grouped(Memory.unscoped, "text_key")]
    first = KeyTextTransform(0, KeyTransform("reasons", "decision"))
    rows = Memory.unscoped.annotate(why=first)
    names = ("source_id", "source__kind", "source__name", "why")
    return [_of_source(row) for row in _grouped(rows, *names)]


def _grouped(rows: Any, *names: str) -> "QuerySet[Memory, dict[str, Any]]":
    found: QuerySet[Memory, dict[str, Any]] = (
        rows.pending()
        .values(*names)
        .annotate(
            number=Count("pk"),
            owners=Count("owner_id", distinct=True),
            oldest=Min("created_at"),
            example=Min("content", output_field=TextField()),
        )
        .filter(number__gt=1)
        .order_by("-number", "oldest")[:SHOWN]
    )
    return found


def _of_words(row: dict[str, Any]) -> Cluster:
    chosen = Chosen(words=bytes(row["text_key"]).hex())
    return Cluster(**_common(row), source="", reasons=(), chosen=chosen)


def _of_source(row: dict[str, Any]) -> Cluster:
    label = SourceKind(row["source__kind"]).label
    return Cluster(
        **_common(row),
        source=f"{label} {row['source__name']}".strip(),
        reasons=(row["why"],) if row["why"] else (),
        chosen=Chosen(source=row["source_id"], reason=row["why"] or ""),
    )


def _common(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("number", "owners", "oldest", "example")}
