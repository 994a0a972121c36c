"""An erasure as it crosses rooms: whose, what would go, what is left, who is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Protocol
from uuid import UUID


class IdentifierKind(StrEnum):
    """What an identifier is; owner ids count as identifiers of their own kind."""

    OWNER = "owner"
    EMAIL = "email"
    PHONE = "phone"
    NAME = "name"


class RunState(StrEnum):
    """Where the execution of an approved erasure stands."""

    FENCED = "fenced"
    EXECUTING = "executing"
    VERIFYING = "verifying"
    RESIDUAL_FOUND = "residual_found"
    LIVE_ERASED = "live_erased"
    PARTIALLY_ERASED = "partially_erased"
    FAILED = "failed"


class Treatment(StrEnum):
    """What happens to another owner's memory that mentions the person."""

    REDACT = "redact"
    KEEP = "keep"


class Stage(IntEnum):
    """In which order stores are erased: what leads to other data goes first."""

    CACHES = 10
    DERIVED = 20
    REVIEWS = 30
    MEMORIES = 40
    TRAIL = 50
    MENTIONS = 60
    FILES = 70
    SESSIONS = 80
    IDENTITY = 90
    KEYS = 100


class StoreBusy(Exception):
    """Somebody else works on a store; the pass is tried again in a moment."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """Something by which a person is known, as it was given."""

    kind: IdentifierKind
    value: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The person: owner ids (external), their row ids where known, other identifiers.

    `mentions` are the decisions on other owners' memories, by memory id.
    """

    owner_ids: tuple[str, ...]
    identifiers: tuple[Identifier, ...] = ()
    rows: tuple[int, ...] = ()
    mentions: Mapping[UUID, Treatment] | None = None

    @property
    def names(self) -> tuple[Identifier, ...]:
        """Every identifier, the owner ids first."""
        owners = (Identifier(IdentifierKind.OWNER, one) for one in self.owner_ids)
        return (*owners, *self.identifiers)

    def treatment(self, memory_id: UUID) -> Treatment | None:
        """Return what was decided on a memory that mentions the person."""
        return (self.mentions or {}).get(memory_id)


@dataclass(frozen=True, slots=True)
class Holds:
    """The legal holds in force: their row ids, and what each kind reaches.

    `memories` has those that were merged into a held one too.
    """

    ids: tuple[int, ...] = ()
    owners: tuple[int, ...] = ()
    namespaces: tuple[int, ...] = ()
    memories: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class StoreCount:
    """What an erasure would do in one store.

    `ground` is a code of why anything is kept, empty if nothing is.
    """

    store: str
    matched: int
    erase: int
    redact: int = 0
    keep: int = 0
    ground: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What one piece of a pass did; `is_done` says that nothing is left to do.

    `memory_ids` are the memories that are gone with it.
    """

    erased: int = 0
    redacted: int = 0
    held: int = 0
    is_done: bool = True
    memory_ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """Another owner's memory in which the person occurs; `kinds` says by what."""

    memory_id: UUID
    owner_id: str
    namespace: str
    content: str
    kinds: tuple[IdentifierKind, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What an erasure would do, at one moment; `digest` is over counts and ids."""

    counts: tuple[StoreCount, ...]
    mentions: tuple[Mention, ...]
    held: Holds
    digest: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Residue:
    """What a probe still found in a store."""

    probe: str
    store: str
    count: int


@dataclass(frozen=True, slots=True)
class PassView:
    """What a run did in one store; `residue` is None until it was looked at."""

    store: str
    matched: int
    erased: int
    redacted: int
    held: int
    residue: int | None
    attempts: int
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as it stands. `probes` are those of the last verification.

    `holds` are the row ids of the legal holds that were in force then; `undecided` is
    how many mentions people still have to decide on.
    """

    ref: str
    case_ref: str
    state: RunState
    ground: str
    prepared_by: str
    approved_by: str
    preview_digest: str
    passes: tuple[PassView, ...]
    probes: tuple[Residue, ...]
    holds: tuple[int, ...]
    undecided: int
    error: str
    fenced_at: datetime
    started_at: datetime | None
    verified_at: datetime | None
    live_erased_at: datetime | None
    index_purged_at: datetime | None


class Eraser(Protocol):
    """What finds and erases a person in one store; each call may be repeated.

    `covers` names the fields of models that it answers for (`app.model.field`, or
    `app.model.*`). `erase` runs inside a transaction, takes a bounded piece and is
    called until it says that it is done.
    """

    @property
    def store(self) -> str:
        """Its name, used once."""

    @property
    def stage(self) -> Stage:
        """When it runs."""

    @property
    def covers(self) -> tuple[str, ...]:
        """The fields that it answers for."""

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return what an erasure would do here now."""

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Erase a piece of what is not held, and say whether that was all."""

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how much is left that no hold protects."""

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield what is held about the person, for the access report."""
