"""The weights of a ranking profile, of which each namespace uses one by name."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from typing import Self


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Weights of one ranking. Values are in standard deviations where not said else.

    `lexical` and `dense` weigh the z-scores of BM25 and cosine; `previous`, `next`
    and `second` pass on a share of what the neighbours in the same session scored;
    `session` weighs the z-score of the session's best memories, `session_best` of
    them. `subject` is the bonus of a memory about the one person named in the query,
    `question` the malus of a memory that only asks, `length` the bonus for each
    factor of e by which a memory is longer than the candidates' (geometric) mean,
    `linked` the bonus of what one of the best memories is linked to.

    `w_relevance` and `w_score` mix relevance and live score. `relevance_*` are the
    logistic that turns calibrated cosine and the matched share of the query into
    relevance; `words_*` do so for a memory without a vector.
    """

    lexical: float = 0.4
    dense: float = 0.6
    previous: float = 0.3
    next: float = 0.2
    second: float = 0.1
    session: float = 0.2
    session_best: int = 3
    subject: float = 2.0
    question: float = 0.5
    length: float = 0.3
    linked: float = 0.5
    w_relevance: float = 0.9
    w_score: float = 0.1
    relevance_intercept: float = -1.25
    relevance_dense: float = 0.35
    relevance_lexical: float = 3.7
    words_intercept: float = -1.1
    words_lexical: float = 5.3

    def with_meaning(self, share: float) -> Self:
        """Return weights with a share of `dense`, whose rest `lexical` gets."""
        taken = self.dense * (1.0 - share)
        return replace(self, dense=self.dense - taken, lexical=self.lexical + taken)

    def to_dict(self) -> dict[str, float]:
        """The weights by name, as they are stored."""
        return asdict(self)

    @classmethod
    def from_dict(cls, weights: Mapping[str, float]) -> Self:
        """Weights as they were stored; those not named keep their default.

        Raises ValueError for a name that is no weight and a value that is no number.
        """
        unknown = weights.keys() - {field.name for field in fields(cls)}
        if unknown:
            raise ValueError(f"no such ranking weights: {', '.join(sorted(unknown))}")
        wrong = [name for name, value in weights.items() if not _is_number(value)]
        if wrong:
            raise ValueError(f"ranking weights that are no numbers: {', '.join(wrong)}")
        return cls(**weights)  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value)


DEFAULT = RankingWeights()
