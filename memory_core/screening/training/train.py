"""Trains the linear classifier and writes its weights.

Logistic regression over hashed n-grams and concepts, one example a window. A long
attack is mostly ordinary text, so only its highest-scoring windows count as attacks
(multiple-instance learning by re-labelling, Andrews et al. 2003).
"""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags, hstack
from sklearn.linear_model import LogisticRegression

from memory_core.screening.classifier import (
    FEATURES_VERSION,
    Classifier,
    Thresholds,
    manifest_digest,
)
from memory_core.screening.features import (
    BITS,
    Block,
    char_block,
    concept_names,
    word_block,
)
from memory_core.screening.scan import scan
from memory_core.screening.training.rows import Row
from memory_core.screening.views import clean_view

INVERSE_REGULARISATION = 4.0
CONCEPT_SCALE = 0.4  # concepts are few and always 1: this evens out the penalty
SHORT = 3  # windows; an attack of at most so many counts as a whole
TOP_SHARE = 3  # of a longer attack, one window in three


@dataclass(frozen=True, slots=True)
class Examples:
    """Windows of all rows: their features, labels, rows and rows' window counts.

    `group` names what counts alike in training: a kind of text from one source.
    """

    chars: Any
    words: Any
    concepts: Any
    names: list[str]
    row: NDArray[np.int64]
    is_attack: NDArray[np.bool_]
    count: NDArray[np.int64]
    group: list[str]


def examples(rows: Sequence[Row]) -> Examples:
    """Return the training examples of the rows."""
    windows = [
        (index, window)
        for index, row in enumerate(rows)
        for window in scan(clean_view(row.text), None)
    ]
    index = np.array([row for row, _ in windows])
    named = [concept_names(window.concepts) for _, window in windows]
    names = sorted({name for each in named for name in each})
    return Examples(
        chars=_hashed(char_block(window.text) for _, window in windows),
        words=_hashed(word_block(window.text) for _, window in windows),
        concepts=_named(named, names),
        names=names,
        row=index,
        is_attack=np.array([rows[row].is_attack for row in index]),
        count=np.bincount(index)[index],
        group=[_group(rows[row]) for row in index],
    )


def without(data: Examples, rows: Collection[int]) -> Examples:
    """Return the examples that come from none of these rows."""
    kept = np.flatnonzero(~np.isin(data.row, list(rows)))
    return Examples(
        chars=data.chars[kept],
        words=data.words[kept],
        concepts=data.concepts[kept],
        names=data.names,
        row=data.row[kept],
        is_attack=data.is_attack[kept],
        count=data.count[kept],
        group=[data.group[i] for i in kept],
    )


def train(data: Examples) -> Classifier:
    """Return a classifier trained on the examples, with thresholds still at zero."""
    scale_chars, scale_words = _rarity(data.chars), _rarity(data.words)
    matrix = hstack(
        [
            data.chars @ diags(scale_chars),
            data.words @ diags(scale_words),
            data.concepts * CONCEPT_SCALE,
        ]
    ).tocsr()
    model = _fit(matrix, data)
    weights = model.coef_[0]
    size = 2**BITS
    return Classifier(
        bias=float(model.intercept_[0]),
        chars=(weights[:size] * scale_chars).astype(np.float32),
        words=(weights[size : 2 * size] * scale_words).astype(np.float32),
        concepts=dict(
            zip(data.names, (weights[2 * size :] * CONCEPT_SCALE).tolist(), strict=True)
        ),
        thresholds={},
        digest="",
    )


def save(model: Classifier, folder: Path, sources: Iterable[str]) -> None:
    """Write the weights as eight-bit numbers with their manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays, scales = {}, {}
    for name, values in (("chars", model.chars), ("words", model.words)):
        scales[name] = float(np.abs(values).max() / 127)
        arrays[name] = np.round(values / scales[name]).astype(np.int8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    data = buffer.getvalue()
    (folder / "linear.npz").write_bytes(data)
    manifest: dict[str, Any] = {
        "features": FEATURES_VERSION,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bias": model.bias,
        "scales": scales,
        "thresholds": {
            lang: {"hold": each.hold, "refuse": each.refuse}
            for lang, each in model.thresholds.items()
        },
        "trained_on": sorted(set(sources)),
        "concepts": {name: round(w, 4) for name, w in model.concepts.items() if w},
    }
    manifest["manifest_sha256"] = manifest_digest(manifest)
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (folder / "linear.json").write_text(text + "\n", encoding="utf-8")


def tuned(
    scores: dict[str, list[tuple[float, str]]],
    *,
    hold_share: Mapping[str, float],
    refuse_share: float,
) -> dict[str, Thresholds]:
    """Return thresholds that such shares of each language's ordinary texts exceed.

    Every source counts the same.
    """
    return {
        lang: Thresholds(
            hold=round(_exceeded_by(hold_share[lang], found), 2),
            refuse=round(_exceeded_by(refuse_share, found), 2),
        )
        for lang, found in scores.items()
    }


def _exceeded_by(share: float, scored: list[tuple[float, str]]) -> float:
    """Return the lowest score that at most this share exceeds, mean over sources."""
    counts = Counter(source for _, source in scored)
    exceeding = 0.0
    threshold = max(score for score, _ in scored)
    for score, source in sorted(scored, reverse=True):
        exceeding += 1 / (counts[source] * len(counts))
        if exceeding > share:
            return score + 0.01
        threshold = score
    return threshold


def _fit(matrix: Any, data: Examples) -> LogisticRegression:
    """Return the model after a second round with the top windows of long attacks."""
    short = data.is_attack & (data.count <= SHORT)
    model = _fit_once(matrix, data, short)
    scores = model.decision_function(matrix)
    return _fit_once(matrix, data, short | _top_windows(scores, data))


def _fit_once(
    matrix: Any, data: Examples, attacks: NDArray[np.bool_]
) -> LogisticRegression:
    used = np.flatnonzero(~data.is_attack | attacks)
    labels = data.is_attack[used]
    weights = _weights([data.group[i] for i in used], labels)
    model = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=300)
    return model.fit(matrix[used], labels, sample_weight=weights)


def _top_windows(scores: NDArray[np.float64], data: Examples) -> NDArray[np.bool_]:
    chosen = np.zeros(len(scores), dtype=bool)
    long = np.flatnonzero(data.is_attack & (data.count > SHORT))
    by_row: dict[int, list[int]] = {}
    for index in long:
        by_row.setdefault(int(data.row[index]), []).append(int(index))
    for group in by_row.values():
        group.sort(key=lambda index: -scores[index])
        chosen[group[: max(1, len(group) // TOP_SHARE)]] = True
    return chosen


def _group(row: Row) -> str:
    return f"{row.source} {row.lang} {row.kind}"


def _weights(groups: list[str], labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return weights that let no big group dominate and balance the two labels."""
    counts = Counter(groups)
    weights = np.array([counts[group] ** -0.5 for group in groups])
    weights[labels] *= weights[~labels].sum() / weights[labels].sum()
    return np.asarray(weights / weights.mean())


def _hashed(blocks: Iterable[Block]) -> Any:
    values, columns, ends = [], [], [0]
    for block in blocks:
        unique, counts = np.unique(block.places, return_counts=True)
        columns.append(unique)
        values.append(counts / max(1, len(block.places)) ** 0.5)
        ends.append(ends[-1] + len(unique))
    data = np.concatenate(values).astype(np.float32)
    shape = (len(ends) - 1, 2**BITS)
    return csr_matrix((data, np.concatenate(columns), ends), shape=shape)


def _named(named: Iterable[list[str]], names: list[str]) -> Any:
    place = {name: index for index, name in enumerate(names)}
    columns: list[int] = []
    ends = [0]
    for each in named:
        columns += [place[name] for name in each]
        ends.append(len(columns))
    data = np.ones(len(columns), dtype=np.float32)
    return csr_matrix((data, columns, ends), shape=(len(ends) - 1, len(names)))


def _rarity(matrix: Any) -> NDArray[np.float64]:
    """Return inverse document frequencies with mean 1; features seen once get 0."""
    seen = np.asarray((matrix > 0).sum(axis=0)).ravel()
    rarity = np.log((1 + matrix.shape[0]) / (1 + seen)) + 1
    rarity[seen < 2] = 0
    return np.asarray(rarity / rarity[seen >= 2].mean())
