"""Numbers that tell how a new statement stands to an old one."""

from __future__ import annotations

import numpy as np

from memory_core.saving.relation.frames import compare_frames
from memory_core.saving.relation.lexicon import lexicon
from memory_core.saving.relation.measures import clashing
from memory_core.saving.relation.opposites import opposition
from memory_core.saving.relation.products import products
from memory_core.saving.relation.reading import ATOM, Reading, with_other_figures

Features = dict[str, float]


def compare(old: Reading, new: Reading, similarity: float | None) -> Features:
    """The features of a pair, by name.

    ``similarity`` is the calibrated closeness of the two vectors, about 0 for
    unrelated statements and 1 for rewordings; None if a vector is missing.
    """
    found: Features = {}
    if figures := clashing(old.measures, new.measures):
        new = with_other_figures(new, figures)
    known = similarity is not None
    found["similarity"] = similarity if similarity is not None else 0.5
    found["no_vector"] = 0.0 if known else 1.0
    _overlap(found, old, new)
    _words(found, old, new)
    _polarity(found, old, new)
    _numbers(found, old, new)
    _values(found, old, new)
    _attributes(found, old, new)
    _subjects(found, old, new)
    _predicates(found, old, new)
    _template(found, old, new)
    _cues(found, old, new)
    _shape(found, old, new)
    found |= compare_frames(old, new)
    if found["frame_named"]:  # who bears it stands before; a filler may be a person
        found["other_person"] = found["persons_clash"] = 0.0
    return found | products(found)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _overlap(found: Features, old: Reading, new: Reading) -> None:
    a, b = old.sign.keys(), new.sign.keys()
    both = len(a & b)
    found["jaccard"] = _share(both, len(a | b))
    found["old_in_new"] = _share(both, len(a))
    found["new_in_old"] = _share(both, len(b))
    found["old_rest"] = min(len(a) - both, 12) / 12
    found["new_rest"] = min(len(b) - both, 12) / 12
    found["old_covered"] = float(bool(a) and both == len(a))
    found["new_covered"] = float(bool(b) and both == len(b))
    found["gram_dice"] = _share(
        2 * len(old.grams & new.grams), len(old.grams) + len(new.grams)
    )
    found["gram_containment"] = _share(
        len(old.grams & new.grams), min(len(old.grams), len(new.grams))
    )


_WORD_FEATURES = (
    "soft_old", "soft_new", "worst_old", "worst_new", "soft_opposed", "bags",
    "rests", "best_of_rests", "rest_weight_old", "rest_weight_new",
)  # fmt: skip


def _words(found: Features, old: Reading, new: Reading) -> None:
    """How well each word of one has a counterpart in the other, by word vectors."""
    for name in _WORD_FEATURES:
        found[name] = 0.0
    if not old.words or not new.words:
        return
    a, b = old.word_vectors, new.word_vectors
    cosines = a @ b.T
    place = {w: j for j, w in enumerate(new.words)}
    pairs = [(i, place[w]) for i, w in enumerate(old.words) if w in place]
    for i, j in pairs:
        cosines[i, j] = 1.0
    best_old, best_new = cosines.max(axis=1), cosines.max(axis=0)
    wa, wb = old.word_weight, new.word_weight
    found["soft_old"] = float(best_old @ wa / wa.sum())
    found["soft_new"] = float(best_new @ wb / wb.sum())
    found["worst_old"] = float((1.0 - (1.0 - best_old) * wa).min())
    found["worst_new"] = float((1.0 - (1.0 - best_new) * wb).min())
    partner = cosines.argmax(axis=1)
    close = best_old > 0.6
    signs_a = np.array(old.word_sign)
    signs_b = np.array(new.word_sign)[partner]
    opposed = (close * wa * (signs_a != signs_b)).sum()
    found["soft_opposed"] = float(opposed / max(float((close * wa).sum()), 1e-6))
    found["bags"] = _cosine(wa @ a, wb @ b)
    rest_a, rest_b = best_old < 0.85, best_new < 0.85
    found["rest_weight_old"] = float((wa * rest_a).sum() / wa.sum())
    found["rest_weight_new"] = float((wb * rest_b).sum() / wb.sum())
    if rest_a.any() and rest_b.any():
        found["rests"] = _cosine((wa * rest_a) @ a, (wb * rest_b) @ b)
        found["best_of_rests"] = float(cosines[rest_a][:, rest_b].max())
    else:
        found["rests"] = found["best_of_rests"] = 0.5


def _cosine(a: np.ndarray, b: np.ndarray) -> float:
    norm = float(np.sqrt(a @ a) * np.sqrt(b @ b))
    return float(a @ b) / norm if norm > 1e-6 else 0.0


def _polarity(found: Features, old: Reading, new: Reading) -> None:
    shared = old.sign.keys() & new.sign.keys()
    opposed = sum(old.sign[s] != new.sign[s] for s in shared)
    found["opposed"] = _share(opposed, len(shared))
    found["any_opposed"] = float(opposed > 0)
    found["agreeing"] = min(len(shared) - opposed, 6) / 6
    found["parity_differs"] = float((old.negations - new.negations) % 2)
    a, b = old.core, new.core
    agreed = sum(a[s] == b[s] for s in a.keys() & b.keys())
    found["core_agreed"] = _share(agreed, len(a.keys() | b.keys()))
    found["core_same"] = float(bool(a) and a == b)
    disagreed, agreed = opposition(old.said, new.said)
    found["opposites"] = float(disagreed > 0)
    found["opposites_denied"] = float(agreed > 0 and not disagreed)
    found["both_negative"] = float(min(old.negations, new.negations) > 0)


def _numbers(found: Features, old: Reading, new: Reading) -> None:
    same = clash = 0
    for kind in old.atoms.keys() & new.atoms.keys():
        if old.atoms[kind] == new.atoms[kind]:
            same += 1
        elif not old.atoms[kind] <= new.atoms[kind]:
            clash += 1
    found["numbers_elsewhere"] = float(same > 0 and not _share_context(old, new))
    found["numbers_same"] = min(same, 3) / 3
    found["numbers_clash"] = float(clash > 0)
    found["numbers_gone"] = float(bool(old.atoms.keys() - new.atoms.keys()))
    found["numbers_new"] = float(bool(new.atoms.keys() - old.atoms.keys()))


def _share_context(old: Reading, new: Reading) -> bool:
    """Whether some number that both name stands beside the same word in both."""
    return bool(_beside_numbers(old) & _beside_numbers(new))


def _beside_numbers(reading: Reading) -> set[tuple[str, str]]:
    symbols = reading.symbols
    return {
        (symbols[i], symbols[j])
        for i in range(len(symbols))
        if symbols[i].startswith(ATOM)
        for j in (i - 1, i + 1)
        if 0 <= j < len(symbols)
    }


def _values(found: Features, old: Reading, new: Reading) -> None:
    same = clash = 0
    for name in old.values.keys() & new.values.keys():
        if old.values[name] & new.values[name]:
            same += 1
        else:
            clash += 1
    found["values_same"] = min(same, 3) / 3
    found["values_clash"] = float(clash > 0)
    found["values_gone"] = float(bool(old.values.keys() - new.values.keys()))
    found["values_new"] = float(bool(new.values.keys() - old.values.keys()))
    found["narrows"] = float(
        any(c in new.values and c not in old.values for c in old.general)
    )
    found["widens"] = float(
        any(c in old.values and c not in new.values for c in new.general)
    )
    named = {w for w in old.proper - lexicon().stop if len(w) > 1}
    found["named_again"] = _share(len(named & set(new.tokens)), len(named))


def _attributes(found: Features, old: Reading, new: Reading) -> None:
    shared = old.single & new.single
    found["same_single"] = min(len(shared), 2) / 2
    found["same_many"] = min(len(old.many & new.many), 2) / 2
    found["other_single"] = float(bool(old.single) and bool(new.single) and not shared)
    found["single_gone"] = float(bool(old.single) and not new.single)
    found["single_came"] = float(bool(new.single) and not old.single)
    found["only_many"] = float(not shared and bool(old.many & new.many))


def _subjects(found: Features, old: Reading, new: Reading) -> None:
    found["other_person"] = float(old.persons != new.persons)
    found["persons_clash"] = float(
        bool(old.persons) and bool(new.persons) and not old.persons & new.persons
    )
    found["other_bearer"] = float(bool(new.bearer) and not old.persons)
    heads = old.head | new.head
    found["head_same"] = _share(len(old.head & new.head), len(heads)) if heads else 1.0
    found["head_clash"] = float(
        bool(old.head) and bool(new.head) and not old.head & new.head
    )
    a, b = _labels(old), _labels(new)
    found["labels_clash"] = float(bool(a) and bool(b) and not a & b)
    found["head_one_sided"] = float(bool(old.head) != bool(new.head))
    found["tail_same"] = _share(len(old.tail & new.tail), len(old.tail | new.tail))


def _labels(reading: Reading) -> set[str]:
    """Numbers and letters that tell bearers apart: "Building A", "二号楼"."""
    return {s for s in reading.head if s.startswith(ATOM) or (len(s) == 1 and s < "{")}


def _predicates(found: Features, old: Reading, new: Reading) -> None:
    a, b = old.predicates, new.predicates
    found["predicates_same"] = _share(len(a & b), len(a | b))
    found["predicates_clash"] = float(bool(a) and bool(b) and not a & b)
    found["predicates_swap"] = float(bool(a - b) and bool(b - a))
    found["wish_differs"] = float(("future" in old.cues) != ("future" in new.cues))
    found["tense_clash"] = float(
        ("future" in old.cues and "past_event" in new.cues)
        or ("past_event" in old.cues and "future" in new.cues)
    )


def _template(found: Features, old: Reading, new: Reading) -> None:
    """Features of the shared template: common prefix, suffix and what differs."""
    a, b = old.symbols, new.symbols
    limit = min(len(a), len(b))
    prefix = 0
    while prefix < limit and a[prefix] == b[prefix]:
        prefix += 1
    suffix = 0
    while suffix < limit - prefix and a[-1 - suffix] == b[-1 - suffix]:
        suffix += 1
    frame = prefix + suffix
    found["prefix"] = _share(prefix, limit)
    found["suffix"] = _share(suffix, limit)
    found["frame"] = _share(frame, max(len(a), len(b)))
    middle = (len(a) - frame, len(b) - frame)
    substituted = 0 < middle[0] <= 4 and 0 < middle[1] <= 4 and frame >= middle[0]
    found["swap_first"] = float(substituted and prefix <= 1 and suffix >= 1)
    found["swap_last"] = float(substituted and suffix == 0 and prefix >= 1)
    found["swap_middle"] = float(substituted and prefix > 1 and suffix > 0)
    found["inserted"] = float(middle[0] == 0 and middle[1] > 0)
    found["removed"] = float(middle[1] == 0 and middle[0] > 0)


_NEW_CUES = (
    "change", "now", "correction", "additive", "question", "once", "past", "wish",
    "for_other", "smalltalk", "asks", "past_event", "future",
)  # fmt: skip
_OLD_CUES = (
    "change", "question", "once", "past", "wish", "smalltalk", "asks", "past_event",
    "future",
)  # fmt: skip


def _cues(found: Features, old: Reading, new: Reading) -> None:
    for name in _NEW_CUES:
        found["new_" + name] = float(name in new.cues)
    for name in _OLD_CUES:
        found["old_" + name] = float(name in old.cues)


def _shape(found: Features, old: Reading, new: Reading) -> None:
    found["old_length"] = old.length
    found["new_length"] = new.length
    found["length_gap"] = abs(old.length - new.length)
    found["longer_new"] = max(0.0, new.length - old.length)
    found["shortest"] = min(old.length, new.length)
    found["other_script"] = float(old.chinese != new.chinese)
    found["chinese"] = float(new.chinese)
