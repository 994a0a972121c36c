"""Take back, in one step, what a token or a source wrote since a moment."""

from datetime import datetime

from django.utils import timezone

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.undoing import Undoing
from memory_core.exceptions import InvalidInput
from memory_core.saving.undoing import Writer, plan, undo


def undo_since(
    *,
    by: Actor,
    since: datetime,
    token_prefix: str = "",
    source: int = 0,
    dry_run: bool = True,
) -> Undoing:
    """Return what was taken back, or in a dry run would be. For people only.

    Raises InvalidInput unless exactly one of token and source (its row id) is named.
    """
    if bool(token_prefix) == bool(source):
        raise InvalidInput("Name either a token or a source.", field="source")
    with isolation.transaction_for(by):
        undoing = plan(Writer(token_prefix, source), since=since)
        if not dry_run:
            undo(undoing, by=by, now=timezone.now())
            auditing.record(
                "writes.undo",
                by=by,
                token=token_prefix,
                source=source,
                since=since.isoformat(),
                rejected=len(undoing.rejected),
                brought_back=len(undoing.brought_back),
                rolled_back=len(undoing.rolled_back),
                left_alone=len(undoing.left_alone),
            )
    return undoing
