"""The training run: rows in, tuned weights in a folder out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memory_core.screening.classifier import Classifier, language_of
from memory_core.screening.report import QUIET_KINDS
from memory_core.screening.scan import scan
from memory_core.screening.spelling import costs, vocabulary
from memory_core.screening.training.rows import (
    Row,
    authored_rows,
    read_ordinary,
    read_rows,
)
from memory_core.screening.training.train import (
    Examples,
    examples,
    save,
    train,
    tuned,
    without,
)
from memory_core.screening.training.words import save_vocabulary
from memory_core.screening.views import clean_view

HOLD_SHARE, REFUSE_SHARE = 0.012, 0.002
FOLDS = 3  # models for the thresholds of sources that are trained on
REFUSE_MARGIN = 1.8  # logits on top: refusals must hold on sources never seen


def train_weights(
    data: Sequence[Path],
    *,
    tune: Path,
    ordinary: Sequence[Path],
    folder: Path,
    words: Path,
) -> Classifier:
    """Return the classifier trained on `data` and our own sentences, also saved.

    `ordinary` are files of ordinary memories; the thresholds are set on `tune`, on
    rows whose sources are in `data` too by models that have not seen these. The
    vocabulary of all rows goes to the file `words` first: views depend on it.
    """
    rows = [*(row for path in data for row in read_rows(path)), *authored_rows()]
    for path in ordinary:
        rows += read_ordinary(path)
    save_vocabulary(rows, words)
    vocabulary.cache_clear()
    costs.cache_clear()
    found = examples(rows)
    model = train(found)
    limits = tuned(
        unseen_scores(model, found, read_rows(tune)),
        hold_share=HOLD_SHARE,
        refuse_share=REFUSE_SHARE,
        margin=REFUSE_MARGIN,
    )
    model = replace(model, thresholds=limits)
    save(model, folder, (row.source for row in rows))
    return model


def unseen_scores(
    model: Classifier, data: Examples, tune: Sequence[Row]
) -> dict[str, list[tuple[float, str]]]:
    """Return the scores of ordinary rows by models that have not seen their sources."""
    seen = set(data.source)
    new = [row for row in tune if row.source not in seen]
    scores = ordinary_scores(model, new)
    sources = sorted({row.source for row in tune} & seen)
    for group in (frozenset(sources[n::FOLDS]) for n in range(FOLDS)):
        if not group:
            continue
        other = train(without(data, group))
        part = ordinary_scores(other, [row for row in tune if row.source in group])
        for language, more in part.items():
            scores[language] += more
    return scores


def ordinary_scores(
    model: Classifier, rows: Sequence[Row]
) -> dict[str, list[tuple[float, str]]]:
    """Return (highest score, source) of each ordinary text, by its window's language.

    Short texts that the classifier does not judge alone count as well.
    """
    scores: dict[str, list[tuple[float, str]]] = {"en": [], "zh": []}
    for row in rows:
        if row.is_attack or row.kind in QUIET_KINDS:
            continue
        windows = scan(clean_view(row.text), model)
        if windows:
            best = max(windows, key=lambda window: window.score or 0.0)
            scores[language_of(best.text)].append((best.score or 0.0, row.source))
    return scores
