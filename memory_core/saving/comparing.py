"""A statement compared with what is near it and current: what follows for both."""

from dataclasses import replace
from uuid import UUID

from memory_core.contracts.enums import SourceKind
from memory_core.contracts.relation import Statement
from memory_core.saving import kinship, neighbours
from memory_core.saving.decide import Decision, Incoming, Judged, decide
from memory_core.saving.judging import judge
from memory_core.saving.preparing import Prepared
from memory_core.saving.vectors import ModelRow
from memory_core.stages import stage


def compared(
    incoming: Incoming, prepared: Prepared, *, owner: int, but: UUID | None = None
) -> Decision:
    """Return what becomes of a draft, `but` one memory of the owner being itself."""
    if prepared.vector is None:
        return Decision()
    statement = Statement(
        prepared.draft.content,
        incoming.subject,
        incoming.observed_at,
        prepared.vector,
    )
    judged = judged_near(
        incoming,
        statement,
        owner=owner,
        namespace=prepared.space.id,
        model=prepared.model,
        but=but,
    )
    decision = decide(incoming, judged)
    if prepared.origin.kind == SourceKind.USER_INPUT:
        kin = kinship.very_similar(prepared, [one.known for one in judged])
        return replace(decision, kin=kin)
    return decision


def judged_near(
    incoming: Incoming,
    statement: Statement,
    *,
    owner: int,
    namespace: int,
    model: ModelRow,
    but: UUID | None = None,
) -> list[Judged]:
    """Return what is near a statement that has a vector, and how the two stand.

    Nothing where likeness alone merges and replaces nothing.
    """
    if statement.vector is None or not incoming.may_merge:
        return []
    with stage("lookup"):
        known = neighbours.nearest(
            statement.vector,
            owner=owner,
            namespace=namespace,
            model_id=model.id,
            observed_at=incoming.observed_at,
            but=but,
        )
    with stage("relation"):
        return judge(incoming, statement, known, model=model.name)
