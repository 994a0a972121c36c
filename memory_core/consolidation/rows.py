"""The rows behind what was looked at, once nobody else can change them."""

from collections.abc import Sequence
from uuid import UUID

from memory_core.models import Memory
from memory_core.saving.neighbours import Known


def as_stored(known: Sequence[Known]) -> dict[UUID, Memory]:
    """Return the locked rows of those that are active and still say the same."""
    texts = {one.id: one.content for one in known}
    rows = (
        Memory.unscoped.active()
        .select_for_update(of=("self",))
        .select_related("source")
        .filter(pk__in=texts)
        .order_by("pk")
    )
    return {row.pk: row for row in rows if row.content == texts[row.pk]}
