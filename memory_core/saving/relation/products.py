"""Products of features that a linear model cannot make by itself."""

from __future__ import annotations

import math
from collections.abc import Mapping

_PRODUCTS: dict[str, tuple[str, ...]] = {
    "change_x_topic": ("change", "topic"),
    "change_x_overlap": ("change", "old_in_new"),
    "change_x_single": ("change", "same_single"),
    "change_x_clash": ("change", "clash"),
    "change_x_bags": ("change", "bags"),
    "change_x_soft_old": ("change", "soft_old"),
    "clash_x_single": ("clash", "same_single"),
    "clash_x_frame": ("clash", "frame", "same_head"),
    "number_clash_x_frame": ("numbers_clash", "frame", "same_head"),
    "number_clash_x_bags": ("numbers_clash", "bags", "same_head"),
    "opposed_x_overlap": ("opposed", "old_in_new", "same_head"),
    "opposed_x_similarity": ("opposed", "similarity"),
    "soft_opposed_x_bags": ("soft_opposed", "bags"),
    "parity_x_bags": ("parity_differs", "bags"),
    "single_x_frame": ("same_single", "frame"),
    "single_x_similarity": ("same_single", "similarity"),
    "single_x_bags": ("same_single", "bags"),
    "many_x_swap": ("only_many", "swap_value"),
    "same_all": ("similarity", "strictly_quiet"),
    "same_all_x_jaccard": ("similarity", "strictly_quiet", "jaccard"),
    "soft_same": ("quiet", "worst_old", "worst_new"),
    "soft_mean_same": ("quiet", "soft_least"),
    "soft_bags_same": ("quiet", "bags"),
    "rule_repeated": ("both_negative", "core_agreed", "same_people"),
    "core_repeated": ("core_same", "same_people"),
    "person_x_bags": ("other_person", "bags"),
    "person_x_frame": ("other_person", "frame"),
    "wish_x_frame": ("wish_differs", "frame"),
    "swap_x_frame": ("predicates_swap", "frame"),
    "head_clash_x_tail": ("head_clash", "tail_same"),
    "narrows_x_similarity": ("narrows", "similarity"),
    "inserted_x_grows": ("inserted", "grows"),
    "additive_x_clash": ("new_additive", "clash"),
    "question_x_topic": ("new_question", "topic"),
    "once_x_clash": ("new_once", "no_change", "clash"),
    "frame_single": (
        "frame_filler",
        "same_single",
        "same_verb",
        "small_same",
        "one_swap",
    ),
    "frame_one_clean": ("frame_one", "small_same", "one_swap"),
    "opposed_verb_differs": ("any_opposed", "frame_verb_differs"),
    "labels_x_frame": ("labels_clash", "frame"),
    "frame_one_x_rests": ("frame_one", "small_same", "rests"),
    "frame_one_x_single": ("frame_one", "same_single"),
    "frame_owner_x_rests": ("frame_owner", "rests"),
    "frame_acts_free": ("frame_acts", "not_single"),
    "opposites_one_swap": ("opposites", "one_swap"),
    "opposites_x_overlap": ("opposites", "old_in_new", "same_people"),
    "opposites_x_similarity": ("opposites", "similarity"),
    "denied_x_overlap": ("opposites_denied", "old_in_new"),
}


def products(found: Mapping[str, float]) -> dict[str, float]:
    """The products of a pair's features, by name."""
    terms = {**found, **_terms(found)}
    return {
        name: math.prod(terms[factor] for factor in factors)
        for name, factors in _PRODUCTS.items()
    }


def _terms(f: Mapping[str, float]) -> dict[str, float]:
    """Factors that are no features themselves; the quiet ones fall with any clash."""
    clash = max(f["values_clash"], f["numbers_clash"])
    same_head = 1.0 - f["head_clash"]
    agreed = (1.0 - clash) * same_head
    return {
        "change": max(f["new_change"], f["new_now"], f["new_correction"]),
        "clash": clash,
        "same_head": same_head,
        "same_people": 1.0 - f["other_person"],
        "no_change": 1.0 - f["new_change"],
        "topic": max(f["jaccard"], f["similarity"]),
        "swap_value": f["swap_last"] + f["swap_middle"],
        "same_verb": 1.0 - f["frame_verb_differs"],
        "small_same": 1.0 - f["frame_small_differs"],
        "not_single": 1.0 - min(1.0, 2.0 * f["same_single"]),
        "one_swap": float(f["frame_swaps"] == 0.25),
        "soft_least": min(f["soft_old"], f["soft_new"]),
        "grows": math.tanh(f["longer_new"] * 2),
        "strictly_quiet": agreed
        * (1.0 - f["any_opposed"])
        * (1.0 - f["parity_differs"])
        * (1.0 - f["persons_clash"]),
        "quiet": agreed
        * (1.0 - f["soft_opposed"])
        * (1.0 - f["other_person"])
        * (1.0 - f["wish_differs"] / 2)
        * (1.0 - f["numbers_elsewhere"] / 2)
        * (1.0 - f["predicates_swap"] / 2),
    }
