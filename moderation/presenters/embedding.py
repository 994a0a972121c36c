"""Embedding models and a change between them, as people read it."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.actions import models
from memory_core.contracts.enums import JobState, VectorSpaceState
from memory_core.contracts.spaces import ChangeView, ModelsView, SpaceView

Text = str | Promise

STATES: dict[str, Text] = {
    VectorSpaceState.ACTIVE.value: _("answers"),
    VectorSpaceState.BUILDING.value: _("being filled"),
    VectorSpaceState.KEPT.value: _("kept for the way back"),
}
PHASES: dict[str, Text] = {
    "fill": _("giving every memory its vector"),
    "ask": _("asking kept queries before the switch"),
    "switch": _("full, waiting for its switch"),
    "settle": _("catching up with what was said meanwhile"),
    "replay": _("asking kept queries once more"),
    "over": _("over"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One model: its share of the memories that have a vector, what may be done."""

    space: SpaceView
    state: Text
    share: float | None
    may_be_dropped: bool


@dataclass(frozen=True, slots=True)
class Change:
    """The latest change and the buttons that fit its state."""

    view: ChangeView
    phase: Text
    verbs: tuple[str, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class Models:
    rows: list[Row]
    change: Change | None
    may_change: bool
    may_go_back: bool


def look() -> Models:
    """Return all models and the latest change."""
    found = models.status()
    change = _change(found.change) if found.change else None
    is_open = bool(change and change.is_open)
    kept = any(one.state == VectorSpaceState.KEPT for one in found.spaces)
    return Models(
        rows=[_row(one, found, is_open=is_open) for one in found.spaces],
        change=change,
        may_change=not is_open,
        may_go_back=kept and not is_open,
    )


def _row(space: SpaceView, found: ModelsView, *, is_open: bool) -> Row:
    filled = is_open and found.change is not None and found.change.model == space.name
    return Row(
        space=space,
        state=STATES[space.state],
        share=space.vectors / found.memories if found.memories else None,
        may_be_dropped=space.state != VectorSpaceState.ACTIVE and not filled,
    )


def _change(view: ChangeView) -> Change:
    verbs: tuple[str, ...] = ()
    if view.state in (JobState.QUEUED, JobState.RUNNING):
        verbs = ("pause", "cancel")
    elif view.state == JobState.PAUSED and view.phase == "switch":
        verbs = ("switch", "cancel")
    elif view.state == JobState.PAUSED:
        verbs = ("resume", "cancel")
    return Change(view, PHASES.get(view.phase, view.phase), verbs, bool(verbs))
