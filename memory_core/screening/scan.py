"""One pass over a view: its windows, their concepts and their scores."""

from collections.abc import Container
from dataclasses import dataclass

from memory_core.screening.classifier import Classifier
from memory_core.screening.features import normal_form
from memory_core.screening.quoting import is_quoted, quotations
from memory_core.screening.rules.lexicon import concepts
from memory_core.screening.windows import layout


@dataclass(frozen=True, slots=True)
class Scanned:
    """A window's text and concepts, and its logit (None without a classifier).

    `is_quoted` says that much of it is words of somebody else, reported.
    """

    text: str
    concepts: frozenset[str]
    score: float | None
    is_quoted: bool = False


def scan(
    view: str, model: Classifier | None, *, seen: Container[str] = ()
) -> list[Scanned]:
    """Return the windows of a canonical view that were not seen before.

    Raises OverBudget when the pattern matcher gives up.
    """
    text = normal_form(view)
    plan = layout(text)
    windows = [w for w in plan.windows if text[w.start : w.end] not in seen]
    needed = sorted({part for window in windows for part in window.parts})
    by_piece = {i: concepts(text[slice(*plan.pieces[i])]) for i in needed}
    found = [
        frozenset().union(*(by_piece[part] for part in window.parts))
        for window in windows
    ]
    scores = model.scores(text, windows, found) if model and windows else None
    quoted = quotations(text)
    return [
        Scanned(
            text[window.start : window.end],
            found[i],
            scores[i] if scores else None,
            is_quoted=is_quoted(window.start, window.end, quoted),
        )
        for i, window in enumerate(windows)
    ]
