"""A statement compared with what is near it and current: what follows for both."""

from dataclasses import replace
from uuid import UUID

from memory_core.contracts.enums import SourceKind
from memory_core.contracts.relation import Statement
from memory_core.saving import kinship, neighbours
from memory_core.saving.decide import Decision, Incoming, decide
from memory_core.saving.judging import judge
from memory_core.saving.neighbours import Known
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
    decision, known = decided(
        incoming,
        statement,
        owner=owner,
        namespace=prepared.space.id,
        model=prepared.model,
        but=but,
    )
    if prepared.origin.kind == SourceKind.USER_INPUT:
        return replace(decision, kin=kinship.very_similar(prepared, known))
    return decision


def decided(
    incoming: Incoming,
    statement: Statement,
    *,
    owner: int,
    namespace: int,
    model: ModelRow,
    but: UUID | None = None,
) -> tuple[Decision, list[Known]]:
    """Return what becomes of a statement with a vector, and what it was compared with.

    The latter is empty where likeness alone merges and replaces nothing.
    """
    if statement.vector is None or not incoming.may_merge:
        return Decision(), []
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
        judged = judge(incoming, statement, known, model=model.name)
        return decide(incoming, judged), known
