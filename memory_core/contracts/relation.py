"""How two statements about one owner stand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

RelationKind = Literal["duplicate", "supersede", "refines", "distinct"]
Vector = NDArray[np.floating]


@dataclass(frozen=True)
class Statement:
    """One sentence as the judge of relations sees it.

    ``subject`` is whom the sentence is about ("" and the words for the owner mean
    the owner). ``vector`` is a passage vector of the configured embedding model, or
    None while it is not there yet.
    """

    text: str
    subject: str = ""
    observed_at: datetime | None = None
    vector: Vector | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Relation:
    """What the new statement is to the old one.

    ``p`` is the probability, in [0, 1], of ``kind``. ``signals`` holds the
    probability of each kind and the features that spoke loudest, by name;
    ``version`` names the weights that judged.
    """

    kind: RelationKind
    p: float
    signals: Mapping[str, float]
    version: str
