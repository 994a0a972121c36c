"""What a model's cosine means."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Calibration:
    """Logistic of the cosine of a query and a memory: 0.5 at the midpoint.

    Every model spreads its cosines over a range of its own (multilingual-e5 gives 0.75
    to 1.0 for anything), and over another range in each script and across two, so
    weights and thresholds are kept on what this returns. `spaced` is the midpoint for
    scripts that put spaces between words, `unspaced` for Chinese and its like, `across`
    where query and memory differ.

    `share` is how much of a profile's weight for meaning the model earns; words get the
    rest. It is 1 but for a model whose cosines tell less than the words do.
    """

    spaced: float
    unspaced: float
    across: float
    slope: float
    share: float = 1.0

    def logit(
        self,
        cosine: ArrayLike,
        query_unspaced: ArrayLike = False,
        memory_unspaced: ArrayLike = False,
    ) -> NDArray[np.float64]:
        """Log odds of relevance; NaN stays NaN."""
        query, memory = np.asarray(query_unspaced), np.asarray(memory_unspaced)
        same = np.where(memory, self.unspaced, self.spaced)
        midpoint = np.where(query == memory, same, self.across)
        return self.slope * (np.asarray(cosine, dtype=np.float64) - midpoint)

    def relevance(
        self,
        cosine: ArrayLike,
        query_unspaced: ArrayLike = False,
        memory_unspaced: ArrayLike = False,
    ) -> NDArray[np.float64]:
        """Relevance in [0, 1]; NaN stays NaN."""
        logit = self.logit(cosine, query_unspaced, memory_unspaced)
        return 1.0 / (1.0 + np.exp(-logit))


UNCALIBRATED = Calibration(spaced=0.5, unspaced=0.5, across=0.5, slope=10.0)
"""For a ranking in which no memory has a vector: any calibration would do."""


@cache
def shipped() -> dict[str, Calibration]:
    """The fitted calibrations in the package, by embedder name."""
    text = (files(__package__) / "calibration.json").read_text("utf-8")
    return {name: Calibration(**values) for name, values in json.loads(text).items()}
