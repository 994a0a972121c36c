"""What becomes of a new statement, given what is known: a table of rules, no effects.

"Newer" compares when things were said, never when they arrived. A statement changes
or replaces only what is not more trusted than it is; when it would have to, it waits
for a person and nothing is overwritten. The same rules hold for a statement that
arrives late, so that a history loaded in any order gives the same present.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_core.contracts.enums import Status, Tier, WriteStrategy
from memory_core.contracts.relation import Relation
from memory_core.contracts.trust import TrustRank
from memory_core.saving.neighbours import Known
from memory_core.saving.provenance import may_be_permanent
from memory_core.saving.relation.normal import fold

AGAINST_PERMANENT = "contradicts_permanent"
AGAINST_MORE_TRUSTED = "contradicts_more_trusted"

# In this order a repetition is credited to what is known.
PREFERENCE = (
    Status.ACTIVE,
    Status.ARCHIVED,
    Status.SUPERSEDED,
    Status.PENDING,
    Status.REJECTED,
)
CURRENT = (Status.ACTIVE, Status.ARCHIVED)
UNDECIDED = (Status.PENDING, Status.REJECTED)


@dataclass(frozen=True, slots=True)
class Incoming:
    """The statement to decide about; `is_held` when it waits for a person anyhow."""

    rank: TrustRank
    strategy: str
    subject: str
    observed_at: datetime
    occurred_at: datetime | None = None
    is_permanent: bool = False
    is_imported: bool = False
    is_held: bool = False

    @property
    def may_merge(self) -> bool:
        """Whether likeness alone may merge or replace anything here."""
        settled = self.strategy != WriteStrategy.APPEND
        return settled and not (self.is_imported or self.is_held)


@dataclass(frozen=True, slots=True)
class Judged:
    """A known statement and how the newer of the two stands to the older one."""

    known: Known
    relation: Relation


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do. `same` is what the statement repeats; else it is stored.

    `demotes` are newer, less trusted contradictions that have to wait for a person;
    `contradicts` is what the statement itself would have overwritten; `kin` is what a
    user's saying so keeps alive.
    """

    same: Known | None = None
    supersedes: tuple[Known, ...] = ()
    superseded_by: Known | None = None
    demotes: tuple[UUID, ...] = ()
    related: tuple[UUID, ...] = ()
    contradicts: tuple[UUID, ...] = ()
    reasons: tuple[str, ...] = ()
    kin: tuple[UUID, ...] = ()
    by: Judged | None = None

    @property
    def is_contrary(self) -> bool:
        """Whether something current says the same or has to give way, or this has."""
        retired = self.supersedes or self.superseded_by or self.demotes
        return bool(self.same or retired or self.contradicts)

    def to_dict(self) -> dict[str, Any]:
        """Return the grounds as codes, ids and numbers, for the memory's `decision`."""
        grounds: dict[str, Any] = {
            "supersedes": [str(known.id) for known in self.supersedes],
            "demotes": list(map(str, self.demotes)),
            "related": list(map(str, self.related)),
            "contradicts": list(map(str, self.contradicts)),
            "reasons": list(self.reasons),
        }
        if self.by:
            relation = self.by.relation
            grounds["relation"] = {
                "to": str(self.by.known.id),
                "kind": relation.kind,
                "p": round(relation.p, 4),
                "signals": {k: round(v, 4) for k, v in relation.signals.items()},
                "version": relation.version,
            }
        return {key: value for key, value in grounds.items() if value}


def repeated(incoming: Incoming, equals: Sequence[Known]) -> Known | None:
    """Return the known statement that these very words repeat, if there is one."""
    found = [known for known in equals if _is_repeated(incoming, known)]
    return min(found, key=lambda known: PREFERENCE.index(known.status), default=None)


def decide(incoming: Incoming, judged: Sequence[Judged]) -> Decision:
    """Return what becomes of a statement whose exact words are new."""
    if not incoming.may_merge:
        return Decision()
    if same := _best(judged, "duplicate"):
        return Decision(same=same.known, by=same)
    conflicts = [one for one in judged if one.relation.kind == "supersede"]
    related = _ids(one.known for one in judged if one.relation.kind == "refines")
    return _settle(incoming, conflicts, related)


def is_newer(incoming: Incoming, known: Known) -> bool:
    """Return whether the statement was said after (or with) the known one."""
    return incoming.observed_at >= known.last_said_at


def _is_repeated(incoming: Incoming, known: Known) -> bool:
    if known.status not in PREFERENCE or not _same_subject(incoming, known):
        return False
    if incoming.is_imported:
        return incoming.observed_at == known.observed_at
    if known.status in CURRENT and known.is_over(incoming.observed_at):
        return False
    if known.status == Status.SUPERSEDED and not _until_after(incoming, known):
        return False
    if known.status in UNDECIDED and incoming.rank > known.rank:
        return False
    if known.status == Status.PENDING and _asked_for_more(incoming, known):
        return False
    return incoming.strategy != WriteStrategy.APPEND or _same_day(incoming, known)


def _asked_for_more(incoming: Incoming, known: Known) -> bool:
    """A request to keep it for good waits; the plain statement need not."""
    return known.tier == Tier.PERMANENT and not incoming.is_permanent


def _same_subject(incoming: Incoming, known: Known) -> bool:
    one, other = fold(incoming.subject).strip(), fold(known.subject).strip()
    return one == other or not one or not other


def _same_day(incoming: Incoming, known: Known) -> bool:
    """An event is the same one only when it is told of the same day."""
    one = incoming.occurred_at or incoming.observed_at
    other = known.occurred_at or known.observed_at
    return one.date() == other.date()


def _until_after(incoming: Incoming, known: Known) -> bool:
    return known.until is None or known.until > incoming.observed_at


def _best(judged: Sequence[Judged], kind: str) -> Judged | None:
    found = [one for one in judged if one.relation.kind == kind]
    return max(found, key=lambda one: one.relation.p, default=None)


def _settle(
    incoming: Incoming, conflicts: list[Judged], related: tuple[UUID, ...]
) -> Decision:
    older = [one for one in conflicts if is_newer(incoming, one.known)]
    newer = [one for one in conflicts if not is_newer(incoming, one.known)]
    if reason := _objection(incoming, older):
        return Decision(
            related=related,
            contradicts=_ids(one.known for one in older),
            reasons=(reason,),
            by=_best(older, "supersede"),
        )
    bowing, standing = _divided(incoming, newer)
    successor = min(standing, key=lambda one: one.known.last_said_at, default=None)
    strongest = _best(older, "supersede") or successor
    return Decision(
        supersedes=tuple(one.known for one in older),
        superseded_by=successor.known if successor else None,
        demotes=_ids(one.known for one in bowing),
        related=related,
        by=strongest,
    )


def _objection(incoming: Incoming, older: list[Judged]) -> str:
    """Return why the statement may not replace what it contradicts, or nothing."""
    current = [one.known for one in older if one.known.status == Status.ACTIVE]
    if any(known.tier == Tier.PERMANENT for known in current) and not may_be_permanent(
        incoming.rank
    ):
        return AGAINST_PERMANENT
    if any(known.rank > incoming.rank for known in current):
        return AGAINST_MORE_TRUSTED
    return ""


def _divided(
    incoming: Incoming, newer: list[Judged]
) -> tuple[list[Judged], list[Judged]]:
    """Newer contradictions: those that may not replace this one, and those that may."""
    bowing = [one for one in newer if not _may_replace(one.known, incoming)]
    standing = [one for one in newer if _may_replace(one.known, incoming)]
    return [one for one in bowing if one.known.status == Status.ACTIVE], standing


def _may_replace(known: Known, incoming: Incoming) -> bool:
    if incoming.is_permanent and not may_be_permanent(TrustRank(known.rank)):
        return False
    return known.rank >= incoming.rank


def _ids(known: Iterable[Known]) -> tuple[UUID, ...]:
    return tuple(one.id for one in known)
