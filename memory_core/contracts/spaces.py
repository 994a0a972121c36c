"""What the service tells of its embedding models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SpaceView:
    """A model: `state` is active, building or kept; `vectors` counts memories.

    `warnings` are sentences about relation thresholds that are inert or reckless on it.
    """

    name: str
    dimensions: int
    state: str
    vectors: int
    warnings: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeView:
    """A change of the model: where it stands, and at its end what it did to answers.

    `phase` is fill, ask, switch, settle, replay or over; `report` has the shares of
    `reembedding.replaying.report`.
    """

    job_id: UUID
    model: str
    state: str
    phase: str
    done: int
    total: int | None
    error: str
    report: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ModelsView:
    """All models, and the latest change if there ever was one.

    `language` is the latest change of the language model, with what it did to answers.
    """

    memories: int
    spaces: Sequence[SpaceView]
    change: ChangeView | None
    language: ChangeView | None = None
