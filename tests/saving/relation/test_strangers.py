from itertools import islice

import numpy as np

from memory_core.saving.relation.labelled import groups
from memory_core.saving.relation.reading import read
from memory_core.saving.relation.scenarios import teaching_pairs
from memory_core.saving.relation.strangers import strangers


def by_letters(texts):
    """Vectors that tell nothing but which letters a text has."""
    found = np.ones((len(texts), 33), np.float32)
    for row, text in zip(found, texts, strict=True):
        for char in text:
            row[ord(char) % 32] += 1
    return found


def test_strangers_are_of_other_scenarios_and_share_no_attribute():
    pairs = list(islice(teaching_pairs(), 0, None, 9))
    group = dict(zip([p.old for p in pairs], groups(pairs), strict=True))
    group |= dict(zip([p.new for p in pairs], groups(pairs), strict=True))
    found = strangers(pairs, by_letters, count=1)
    assert len(found) > len({p.new for p in pairs})
    for pair in found:
        assert (pair.kind, pair.weight) == ("distinct", 0.3)
        assert group[pair.old] != group[pair.new]
        assert not read(pair.old).single & read(pair.new).single


def test_the_same_pairs_give_the_same_strangers():
    pairs = list(islice(teaching_pairs(), 0, None, 31))
    assert strangers(pairs, by_letters) == strangers(pairs, by_letters)
