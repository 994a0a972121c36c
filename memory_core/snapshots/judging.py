"""Lines of one source before they are stored: looked up, screened, refused."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from django.utils import timezone

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor, Scope
from memory_core.contracts.memories import Draft
from memory_core.contracts.screening import Verdict
from memory_core.exceptions import (
    MnemeError,
    OwnerBeingErased,
    OwnerErased,
    OwnerRestricted,
    SourceBlocked,
)
from memory_core.saving import gates, lookups, preparing, writers
from memory_core.saving.preparing import Prepared
from memory_core.saving.provenance import origin_of
from memory_core.saving.texts import key_of, screened_fields
from memory_core.screening.parallel import screen_all
from memory_core.snapshots.drafts import Line
from memory_core.snapshots.report import Fault

GATES = (SourceBlocked, OwnerBeingErased, OwnerErased, OwnerRestricted)
"""What stops every line of a source at once, whatever it says."""

Drafted = Sequence[tuple[Line, Draft]]


def judged(
    lines: Drafted, by: Actor, scope: Scope, *, now: datetime
) -> Iterator[tuple[Line, Prepared | MnemeError]]:
    """Prepare the first line as a save does, and the others like it.

    What stops a whole source stops the lines after it too.
    """
    for number, (line, draft) in enumerate(lines, start=1):
        try:
            like = preparing.prepare(draft, by, scope, now=now)
        except MnemeError as error:
            yield line, error
            if isinstance(error, GATES):
                yield from ((other, error) for other, _ in lines[number:])
                return
        else:
            yield line, replace(like, needs_vector=False)
            yield from _judged_like(like, lines[number:], by, scope)
            return


def _judged_like(
    like: Prepared, lines: Drafted, by: Actor, scope: Scope
) -> Iterator[tuple[Line, Prepared | MnemeError]]:
    cleaned = [preparing.cleaned(draft, like.space) for _, draft in lines]
    name = like.origin.name
    fields = [screened_fields(draft, source_name=name) for draft, _ in cleaned]
    verdicts = screen_all(fields, preparing.provenance_of(like.origin, like.trust))
    for (line, _), (draft, redacted), verdict in zip(
        lines, cleaned, verdicts, strict=True
    ):
        own = replace(like, draft=draft, redacted=redacted, needs_vector=False)
        try:
            yield line, _with_verdict(own, verdict, by, scope)
        except MnemeError as error:
            yield line, error


def fault_of(line: Line, error: MnemeError) -> Fault:
    """Return why a line was not stored."""
    rules = ", ".join(error.extra.get("rules", ()))
    message = f"{error.detail.rstrip('.')}: {rules}." if rules else error.detail
    return Fault(line.number, error.code, message, error.extra.get("field", ""))


def record_refusals(
    faults: Sequence[Fault], lines: Drafted, by: Actor, scope: Scope
) -> None:
    """Put the refused lines of one source on the record, in one entry."""
    if not faults:
        return
    codes = Counter(fault.code for fault in faults)
    draft, namespace = lines[0][1], scope.namespaces[0]
    with isolation.transaction_for(by, scope):
        origin = origin_of(draft, by)
        sources: list[int] = []
        if blocked := codes[SourceBlocked.code]:
            sources = gates.count_refusal(namespace, origin, number=blocked)
            writers.count_refusal(by, number=blocked, now=timezone.now())
        auditing.record(
            "memory.import",
            by=by,
            outcome="refused",
            namespace=lookups.namespace(namespace).name,
            owner_id=draft.owner_id,
            source=origin.kind.value,
            codes=dict(codes),
            sources=sources,
        )


def _with_verdict(own: Prepared, verdict: Verdict, by: Actor, scope: Scope) -> Prepared:
    draft, kind = own.draft, own.kind
    if kind.name != draft.category:
        # Outside a transaction the web process has no role that may read it.
        with isolation.transaction_for(by, scope):
            kind = lookups.category(draft.category)
    return replace(
        own,
        observed_at=preparing.moment_of(draft.observed_at, now=own.now),
        kind=kind,
        verdict=preparing.accepted(verdict),
        text_key=key_of(draft.content),
    )
