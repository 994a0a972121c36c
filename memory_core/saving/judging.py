"""How a statement stands to its neighbours, each pair judged in the order of time."""

from collections.abc import Sequence

from django.conf import settings

from memory_core.contracts.relation import Relation, Statement
from memory_core.saving.decide import Incoming, Judged, is_newer
from memory_core.saving.neighbours import Known
from memory_core.saving.relation import relate, relate_many


def judge(
    incoming: Incoming, statement: Statement, known: Sequence[Known], *, model: str
) -> list[Judged]:
    """Return each neighbour with its relation; the older of two is always the first."""
    older = [one for one in known if is_newer(incoming, one)]
    newer = [one for one in known if not is_newer(incoming, one)]
    limits = settings.RELATION_THRESHOLDS
    forward = relate_many(
        [one.statement() for one in older],
        statement,
        embedder=model,
        thresholds=limits,
    )
    backward: list[Relation] = [
        relate(statement, one.statement(), embedder=model, thresholds=limits)
        for one in newer
    ]
    pairs = zip([*older, *newer], [*forward, *backward], strict=True)
    return [Judged(one, relation) for one, relation in pairs]
