"""Findings in the views of one text, before provenance: rules and classifier."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial

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
from memory_core.screening.views import (
    MOST_JOINED,
    View,
    letters_run_together,
    tells_more,
)

# Logits relative to a language's thresholds at which a matching rule counts.
HOLD_SLACK = 0.3  # below the hold threshold: a rule's hold is an ordinary text
DISGUISED_SLACK = 1.5  # below it: what was written so as not to be read is held sooner
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
    doubted = False
    literal: View | None = None
    try:
        for view in views:
            literal = literal or view
            disguised = cache(partial(tells_more, view, literal))
            for window in scan(view.clean, model, seen=seen):
                seen.add(window.text)
                spent += len(window.text)
                doubted = doubted or not _passes(window, model, slack=HOLD_SLACK)
                is_near = not _passes(window, model, slack=DISGUISED_SLACK)
                slack = DISGUISED_SLACK if is_near and disguised() else 0.0
                for finding in judge_window(window, model, slack=slack):
                    yield _softened(finding) if window.is_quoted else finding
            yield from _shapes(view.plain, doubted=doubted)
            if spent > MAX_JUDGED:
                yield Finding("budget.work", float(spent), MAX_JUDGED, "hold")
                return
    except OverBudget:
        yield Finding("budget.pattern", 1.0, 1.0, "hold")


def _shapes(view: str, *, doubted: bool) -> Iterator[Finding]:
    for shape in find_shapes(view):
        if shape.alone or doubted:
            yield Finding(shape.id, 1.0, 1.0, shape.outcome)
    joined = letters_run_together(view)
    if joined > MOST_JOINED:
        yield Finding("budget.joined", float(joined), float(MOST_JOINED), "hold")
    if has_initials(view):
        yield Finding("disguise.initials", 1.0, 1.0, "hold")


def judge_window(
    window: Scanned, model: Classifier | None, *, slack: float = 0.0
) -> Iterator[Finding]:
    """Yield what the order rules and the classifier say of one window.

    `slack` is by how many logits less than otherwise the classifier holds it.
    """
    if model is None or window.score is None:
        yield from _orders(window.concepts)
        return
    limits = model.thresholds[language_of(window.text)]
    score = round(window.score, 3)
    discussed = "talk" in window.concepts
    if not _passes(window, model, slack=HOLD_SLACK):
        agreed = score >= limits.hold + REFUSE_MARGIN and not discussed
        for finding in _orders(window.concepts):
            yield finding if agreed else _softened(finding)
    if len(window.text) < MODEL_FROM and not _HAN.search(window.text):
        return
    if score >= limits.refuse + (DISCUSSED_MARGIN if discussed else 0.0):
        yield Finding("model.attack", score, limits.refuse, "refuse")
    elif score >= limits.hold - slack:
        yield Finding("model.attack", score, limits.hold - slack, "hold")


def _passes(window: Scanned, model: Classifier | None, *, slack: float) -> bool:
    """Return whether the classifier finds a window ordinary by more than `slack`."""
    if model is None or window.score is None:
        return False
    hold = model.thresholds[language_of(window.text)].hold
    return round(window.score, 3) < hold - slack


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
