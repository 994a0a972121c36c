"""A payload cut in two: what two texts of one source say only together.

Each half is harmless by itself, and a recall may put them side by side. Only where
they meet can they say something new, and in either order.
"""

from collections.abc import Iterator
from dataclasses import replace

from memory_core.contracts.screening import Provenance, Signal, Verdict
from memory_core.screening.judge import Finding, strongest
from memory_core.screening.policy import outcome_for
from memory_core.screening.screen import findings

REACH = 480  # characters on each side of the joint; longer windows are not judged
TOGETHER = "before"
_TELLING = ("order.", "envelope.", "link.")


def with_the_one_before(
    verdict: Verdict, before: str, text: str, provenance: Provenance
) -> Verdict:
    """Return the verdict on a text, a hold if it completes what stood before it.

    Two ordinary texts that happen to meet look odd to the classifier more often than
    one does, so its mild suspicion of a pair does not count.
    """
    if verdict.outcome != "allow" or not before:
        return verdict
    found = [*_at_the_joint(before, text), *_at_the_joint(text, before)]
    signals = [
        Signal(one.rule, one.value, one.threshold, "hold", TOGETHER)
        for one in strongest(found)
        if outcome_for(one.rule, one.outcome, provenance) != "allow"
    ]
    if not signals:
        return verdict
    return replace(verdict, outcome="hold", signals=(*verdict.signals, *signals))


def _at_the_joint(first: str, second: str) -> Iterator[Finding]:
    for found in findings(f"{first[-REACH:].rstrip()} {second[:REACH].lstrip()}"):
        if found.outcome == "refuse" or found.rule.startswith(_TELLING):
            yield found
