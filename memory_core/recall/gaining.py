"""Reinforcement of each memory by a batch of recall records, as a pure function.

Once per memory and session, or once an hour without a session; the notes are taken in
the order of their times. A caller chooses its sessions' names: a new one for each call
must not pump a memory up. So sessions raise a memory's base five times an hour at most,
which real ones hardly ever do; later ones are counted only.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory_core.contracts.touches import Note, Served, moment
from memory_core.scoring import gain_for_rank, may_gain

SessionKey = tuple[int, str]
MOST_AN_HOUR = 5
HOUR = 3600
OF_AN_HOUR = "hour"


@dataclass(slots=True)
class Gain:
    """What one memory gains: added to the base, to the count; `at` is the last time."""

    base: float = 0.0
    accesses: int = 0
    at: float = 0.0


@dataclass(slots=True)
class Gains:
    """Gains by memory, the sessions that brought them, and the notes whose kin gain.

    `kin` holds (note, returned memory, its gain).
    """

    by_memory: dict[UUID, Gain] = field(default_factory=dict)
    by_session: dict[SessionKey, set[UUID]] = field(default_factory=dict)
    kin: list[tuple[Note, Served, float]] = field(default_factory=list)


def gains_of(
    notes: Iterable[Note],
    *,
    gained: Mapping[SessionKey, Set[UUID]],
    last_gain_at: Mapping[UUID, datetime | None],
) -> Gains:
    """Return what the memories in `last_gain_at` gain.

    `gained` holds the memories that each session has brought a gain before.
    """
    gains = Gains()
    latest = dict(last_gain_at)
    for note in sorted((n for n in notes if n.touches), key=lambda note: note.at):
        at = moment(note.at)
        key = (note.owner, note.session)
        for served in note.served:
            memory_id = served.memory_id
            if memory_id not in latest:
                continue
            if note.session:
                if _has_gained(key, memory_id, gains, gained):
                    continue
                slot = _free_slot(note, memory_id, gains, gained)
                for taken in (key, slot) if slot else (key,):
                    gains.by_session.setdefault(taken, set()).add(memory_id)
                latest[memory_id] = at
                _add(gains, note, served, raises=slot is not None)
                continue
            if not may_gain(latest[memory_id], now=at):
                continue
            latest[memory_id] = at
            _add(gains, note, served)
    return gains


def slots(note: Note) -> list[SessionKey]:
    """Return the keys under which the gains of the note's hour are counted."""
    hour = int(note.at // HOUR)
    names = (f"{OF_AN_HOUR}:{hour}:{number}" for number in range(MOST_AN_HOUR))
    return [(note.owner, name) for name in names]


def _free_slot(
    note: Note,
    memory_id: UUID,
    gains: Gains,
    gained: Mapping[SessionKey, Set[UUID]],
) -> SessionKey | None:
    for slot in slots(note):
        if not _has_gained(slot, memory_id, gains, gained):
            return slot
    return None


def _has_gained(
    key: SessionKey,
    memory_id: UUID,
    gains: Gains,
    gained: Mapping[SessionKey, Set[UUID]],
) -> bool:
    return memory_id in gains.by_session.get(key, ()) or memory_id in gained.get(
        key, ()
    )


def _add(gains: Gains, note: Note, served: Served, *, raises: bool = True) -> None:
    base = gain_for_rank(served.rank) if raises else 0.0
    gain = gains.by_memory.setdefault(served.memory_id, Gain())
    gain.base += base
    gain.accesses += 1
    gain.at = max(gain.at, note.at)
    if note.kinship is not None and base:
        gains.kin.append((note, served, base))
