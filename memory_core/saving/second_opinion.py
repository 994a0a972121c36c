"""A language model's word on inferences that the write filter allows, if configured.

It can only turn an allow into a hold. While it does not answer, the filter's verdict
stands, and it is left alone for a moment.
"""

import time
from dataclasses import replace

from django.conf import settings

from memory_core.contracts.enums import SourceKind
from memory_core.contracts.screening import Signal, Verdict
from memory_core.llm import configured, is_suspicious

RULE = "judge.suspicious"
PAUSE_SECONDS = 30.0

_away_until = 0.0


def reconsidered(verdict: Verdict, content: str, kind: SourceKind) -> Verdict:
    """Return the verdict, stricter if the model finds an inference suspicious."""
    global _away_until
    is_asked = settings.LLM_JUDGE and kind is SourceKind.INFERENCE
    model = configured() if is_asked and verdict.outcome == "allow" else None
    if model is None or time.monotonic() < _away_until:
        return verdict
    answer = is_suspicious(model, content)
    if answer is None:
        _away_until = time.monotonic() + PAUSE_SECONDS
    if not answer:
        return verdict
    signal = Signal(RULE, 1.0, 1.0, "hold", "content")
    return replace(verdict, outcome="hold", signals=(*verdict.signals, signal))
