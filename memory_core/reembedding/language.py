"""What another language model does to answers: kept queries ranked by it anew.

A query that was kept with a second ranking has the answer that the earlier model gave.
It is asked again as of the moment it was asked, so that what was learned since plays
no part.
"""

import time
from collections.abc import Mapping, Sequence

from django.utils import timezone

from memory_core import jobs
from memory_core.models import Job, RecallSample
from memory_core.reembedding import replaying

KIND = "llm_change"
ASK, OVER = "ask", "over"
AT_ONCE = 4


def samples() -> list[RecallSample]:
    """Return the latest kept queries that were ranked by a language model."""
    rows = RecallSample.objects.select_related("owner").filter(filters__rerank="llm")
    return list(rows.order_by("-id")[: replaying.MOST])


def advance(job: Job, until: float) -> bool:
    """Ask some more until that moment of the clock; return whether all were asked."""
    while jobs.beat(job, now=timezone.now()):
        asked: dict[str, list[str] | None] = job.cursor.get("asked", {})
        kept = samples()
        waiting = [sample for sample in kept if str(sample.pk) not in asked]
        if not waiting or len(asked) >= replaying.MOST:
            job.cursor = {"phase": OVER, "report": _report(kept, asked)}
            job.save(update_fields=["cursor"])
            return True
        asked |= {str(one.pk): replaying.ask_reranked(one) for one in waiting[:AT_ONCE]}
        job.cursor, job.done = {"phase": ASK, "asked": asked}, len(asked)
        job.save(update_fields=["cursor", "done"])
        if time.monotonic() >= until:
            return False
    return False


def _report(
    kept: Sequence[RecallSample], asked: Mapping[str, list[str] | None]
) -> dict[str, float]:
    """How much answers changed; `unanswered` counts those without the model's word."""
    before = {str(one.pk): list(map(str, one.returned)) for one in kept}
    now = {key: ids for key, ids in asked.items() if ids is not None}
    return replaying.report(before, now) | {"unanswered": len(asked) - len(now)}
