"""The training run: rows in, tuned weights in a folder out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memory_core.screening.classifier import Classifier, language_of
from memory_core.screening.report import QUIET_KINDS
from memory_core.screening.scan import scan
from memory_core.screening.spelling import costs, vocabulary
from memory_core.screening.training.rows import (
    AUTHORED,
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

HOLD_SHARE = {"en": 0.0135, "zh": 0.022}  # of few sources the Chinese are the harder
REFUSE_SHARE = 0.002
FOLDS = 3  # models for the thresholds of sources that are trained on
TWIN = "twin"


def train_weights(
    data: Sequence[Path],
    *,
    tune: Path,
    ordinary: Sequence[Path],
    folder: Path,
    words: Path,
) -> Classifier:
    """Return the classifier trained on `data` and our own sentences, also saved.

    `ordinary` are files of ordinary memories; the thresholds are set on `tune` and our
    own ordinary sentences, always by models that have not seen their sources or them.
    The vocabulary of all rows goes to the file `words` first: views depend on it.
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
        unseen_scores(model, found, rows, read_rows(tune)),
        hold_share=HOLD_SHARE,
        refuse_share=REFUSE_SHARE,
    )
    model = replace(model, thresholds=limits)
    save(model, folder, (row.source for row in rows))
    return model


def unseen_scores(
    model: Classifier, data: Examples, rows: Sequence[Row], tune: Sequence[Row]
) -> dict[str, list[tuple[float, str]]]:
    """Return the scores of ordinary rows by models that have not seen them.

    Judged are `tune` and our own sentences in `rows`, of which `data` are the examples;
    of a source that is trained on no row is seen.
    """
    seen = {row.source for row in rows}
    scores = ordinary_scores(model, [row for row in tune if row.source not in seen])
    own = {number for number, row in enumerate(rows) if row.source == AUTHORED}
    sources = sorted({row.source for row in tune} & seen)
    for fold in range(FOLDS):
        left_out = set(sources[fold::FOLDS])
        mine = {number for number in own if number % FOLDS == fold}
        others = {n for n, row in enumerate(rows) if row.source in left_out}
        judged = [row for row in tune if row.source in left_out]
        judged += [rows[number] for number in mine]
        part = ordinary_scores(train(without(data, mine | others)), judged)
        for language, more in part.items():
            scores[language] += more
    return scores


def ordinary_scores(
    model: Classifier, rows: Sequence[Row]
) -> dict[str, list[tuple[float, str]]]:
    """Return (highest score, source) of each ordinary text, by its window's language.

    Short texts that the classifier does not judge alone count as well; twins of attacks
    do not, which were written to be as close to these as a harmless text can be.
    """
    scores: dict[str, list[tuple[float, str]]] = {"en": [], "zh": []}
    for row in rows:
        if row.is_attack or row.kind in {*QUIET_KINDS, TWIN}:
            continue
        windows = scan(clean_view(row.text), model)
        if windows:
            best = max(windows, key=lambda window: window.score or 0.0)
            scores[language_of(best.text)].append((best.score or 0.0, row.source))
    return scores
