import numpy as np

from memory_core.embedding import get_embedder
from memory_core.saving.relation import wordvectors
from memory_core.saving.relation.word_building import build


def test_a_built_table_keeps_likeness_and_commonness(tmp_path, monkeypatch):
    english = ["the", "lawyer", "attorney", "banana", *(f"word{i}" for i in range(400))]
    file = tmp_path / "words.npz"
    build([english], get_embedder("use").embed_passages, file)
    monkeypatch.setattr(wordvectors, "_FILE", file)
    table = wordvectors.table.__wrapped__()
    lawyer, attorney, banana = table.unit([table.row[w] for w in english[1:4]])
    assert lawyer @ attorney > lawyer @ banana
    assert np.diff([table.common[table.row[w]] for w in english[:4]]).max() < 0


def test_the_shipped_table_knows_words_of_both_languages():
    table = wordvectors.table()
    one, other = table.unit([table.row["restaurant"], table.row["餐厅"]])
    assert one @ other > 0.7


def test_an_unknown_word_has_no_direction_and_full_weight():
    table = wordvectors.table()
    assert not table.unit([wordvectors.UNKNOWN]).any()
    assert table.weight(wordvectors.UNKNOWN) == 1.0
