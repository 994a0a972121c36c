import json

import pytest

from memory_core.saving.relation.labelled import LabelledPair, folds, read_pairs
from memory_core.saving.relation.scenarios import probes, scenarios, teaching_pairs


def written(tmp_path, *rows):
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return file


def test_updates_and_contradictions_both_supersede(tmp_path):
    rows = [
        {"a": "x", "b": "y", "relation": relation}
        for relation in ("update", "contradiction")
    ]
    assert {p.kind for p in read_pairs(written(tmp_path, *rows))} == {"supersede"}


def test_an_unknown_relation_is_refused_by_its_line(tmp_path):
    file = written(
        tmp_path,
        {"a": "x", "b": "y", "relation": "distinct"},
        {"a": "x", "b": "y", "relation": "cousin"},
    )
    with pytest.raises(ValueError, match=r"pairs\.jsonl:2"):
        read_pairs(file)


def test_pairs_that_share_a_text_share_a_fold():
    pairs = [LabelledPair(f"a{i}", f"b{i}", "distinct") for i in range(20)] + [
        LabelledPair(f"B{i}.", f"c{i}", "distinct") for i in range(20)
    ]
    found = folds(pairs)
    assert found[:20] == found[20:]
    assert set(found) == {0, 1, 2, 3, 4}


def test_parallel_pairs_of_two_languages_are_one_scenario(tmp_path):
    rows = [
        {
            "a": f"{lang}a{i}",
            "b": f"{lang}b{i}",
            "relation": "distinct",
            "kind": "negation",
            "lang": lang,
        }
        for lang in ("zh", "en")
        for i in range(10)
    ]
    found = folds(read_pairs(written(tmp_path, *rows)))
    assert found[:10] == found[10:]


def test_probes_never_teach():
    taught = {p.scenario for p in teaching_pairs()}
    assert probes()
    assert not taught & {p.scenario for p in probes()}


def test_every_scenario_makes_pairs():
    assert all(scenario.followers for scenario in scenarios())
