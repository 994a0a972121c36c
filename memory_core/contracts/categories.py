"""What people may change of a category, and what a change does."""

from dataclasses import dataclass
from uuid import UUID

SHORTEST, LONGEST = 1 / 24, 3650.0  # days: an hour and ten years


@dataclass(frozen=True, slots=True)
class Settings:
    """What people may change of a category: days, then scores in [0, 1]."""

    half_life: float
    floor: float
    bonus_cap: float
    archive_below: float


@dataclass(frozen=True, slots=True)
class Tried:
    """Settings that a recall takes in place of those in force; nothing is stored.

    They hold for a category in `namespace`, or without one wherever a namespace has
    no values of its own (`own` lists those that do).
    """

    category: str
    settings: Settings
    namespace: int | None = None
    own: frozenset[int] = frozenset()

    def is_about(self, category: str, namespace: int) -> bool:
        """Return whether they hold for a memory of this category and namespace."""
        if category != self.category:
            return False
        if self.namespace is None:
            return namespace not in self.own
        return namespace == self.namespace


@dataclass(frozen=True, slots=True)
class Effect:
    """How many active memories lie below the threshold, by days from now.

    `falling` are those that a change would drop at once.
    """

    total: int
    falling: int
    below_now: dict[int, int]
    below_then: dict[int, int]

    @property
    def falling_share(self) -> float:
        """Return the part of the category that would drop at once, in [0, 1]."""
        return self.falling / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Example:
    """One memory beside a threshold: its score as it is and as proposed."""

    memory_id: UUID
    content: str
    score_now: float
    score_then: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """An effect with examples as they are `day` days from now."""

    effect: Effect
    day: int
    drops: list[Example]
    stays: list[Example]


@dataclass(frozen=True, slots=True)
class Sighting:
    """One memory that speaks against a half-life.

    For a falling one `times` are its recalls in the period, and the scores those at
    the first and the last of them; for an idle one `idle_days` says how long nobody
    had recalled it when it took a first place.
    """

    memory_id: UUID
    content: str
    times: int = 0
    first_score: float = 0.0
    last_score: float = 0.0
    idle_days: float = 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a half-life fits what was recalled in a period.

    Of `often` memories that were recalled again and again, `falling` lost strength
    all the same; of `firsts` first places, `idle` went to memories that nobody had
    recalled for two half-lives.
    """

    often: int
    falling: int
    firsts: int
    idle: int
    is_too_short: bool
    is_too_long: bool
    is_known: bool
