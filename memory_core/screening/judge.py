"""Findings in the views of one text, before provenance: rules and classifier."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memory_core.contracts.screening import SEVERITY, Outcome
from memory_core.screening.classifier import (
    Classifier,
    classifier,
    language_of,
)
from memory_core.screening.pinyin import has_initials
from memory_core.screening.rules.lexicon import OverBudget
from memory_core.screening.rules.orders import ORDER_RULES
from memory_core.screening.rules.shapes import find_shapes
from memory_core.screening.scan import Scanned, scan
from memory_core.screening.views import MOST_JOINED, View, letters_run_together

# Logits relative to a language's thresholds at which a matching rule counts.
HOLD_SLACK = 1.0  # below the hold threshold: a rule's hold is an ordinary text
REFUSE_MARGIN = 2.8  # above the hold threshold: a rule's refusal stands
DISCUSSED_MARGIN = 4.0  # above the refuse threshold: talk about attacks is no excuse

MODEL_FROM = 16  # characters; on fewer Latin ones the classifier knows too little
MAX_JUDGED = 240_000  # characters of windows, over all views of one text

_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule's finding in a text, with what it would ask of a tool's output."""

    rule: str
    value: float
    threshold: float
    outcome: Outcome


def judge_views(views: Iterable[View], seen: set[str]) -> Iterator[Finding]:
    """Yield the findings in the views of one text.

    A window in `seen`, to which the judged ones are added, is judged once only. Beyond
    the budget of characters the rest is not read and the text is held.
    """
    spent = 0
    model = classifier()
    try:
        for view in views:
            yield from _shapes(view.plain)
            for window in scan(view.clean, model, seen=seen):
                seen.add(window.text)
                spent += len(window.text)
                for finding in judge_window(window, model):
                    yield _softened(finding) if window.is_quoted else finding
            if spent > MAX_JUDGED:
                yield Finding("budget.work", float(spent), MAX_JUDGED, "hold")
                return
    except OverBudget:
        yield Finding("budget.pattern", 1.0, 1.0, "hold")


def _shapes(view: str) -> Iterator[Finding]:
    for shape in find_shapes(view):
        yield Finding(shape.id, 1.0, 1.0, shape.outcome)
    joined = letters_run_together(view)
    if joined > MOST_JOINED:
        yield Finding("budget.joined", float(joined), float(MOST_JOINED), "hold")
    if has_initials(view):
        yield Finding("disguise.initials", 1.0, 1.0, "hold")


def judge_window(window: Scanned, model: Classifier | None) -> Iterator[Finding]:
    """Yield what the order rules and the classifier say of one window."""
    if model is None or window.score is None:
        yield from _orders(window.concepts)
        return
    limits = model.thresholds[language_of(window.text)]
    score = round(window.score, 3)
    discussed = "talk" in window.concepts
    if score >= limits.hold - HOLD_SLACK:
        agreed = score >= limits.hold + REFUSE_MARGIN and not discussed
        for finding in _orders(window.concepts):
            yield finding if agreed else _softened(finding)
    if len(window.text) < MODEL_FROM and not _HAN.search(window.text):
        return
    if score >= limits.refuse + (DISCUSSED_MARGIN if discussed else 0.0):
        yield Finding("model.attack", score, limits.refuse, "refuse")
    elif score >= limits.hold:
        yield Finding("model.attack", score, limits.hold, "hold")


def _orders(found: frozenset[str]) -> Iterator[Finding]:
    for rule in ORDER_RULES:
        if rule.matches(found):
            needed = float(len(rule.needs))
            finding = Finding(rule.id, needed, needed, rule.outcome)
            yield _softened(finding) if "talk" in found else finding


def _softened(finding: Finding) -> Finding:
    return Finding(finding.rule, finding.value, finding.threshold, "hold")


def strongest(findings: Iterable[Finding]) -> list[Finding]:
    """Return one finding a rule, its most severe one."""
    best: dict[str, Finding] = {}
    for finding in findings:
        old = best.get(finding.rule)
        if old is None or _rank(finding) > _rank(old):
            best[finding.rule] = finding
    return list(best.values())


def _rank(finding: Finding) -> tuple[int, float]:
    return SEVERITY[finding.outcome], finding.value
