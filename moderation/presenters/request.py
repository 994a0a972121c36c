"""One deletion request with everything its page shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from memory_core.contracts.erasure import Identifier, RunState
from memory_core.erasure.patterns import redact
from memory_core.models import ErasurePass, ErasureRun, LegalHold, Memory, Owner
from moderation.case_files import CaseFile, unseal_text
from moderation.cases import due_on, file_of, is_empty, others_of
from moderation.models import (
    CaseEvent,
    CaseLetter,
    CaseMention,
    CaseNote,
    CasePause,
    CaseRecipient,
    CaseState,
    Certificate,
    ErasureCase,
)
from moderation.presenters.requests import Due, aim_of, due_of, law_of

TABS = (
    "scope",
    "holds",
    "passes",
    "verification",
    "recipients",
    "messages",
    "certificate",
)
MOVING = (
    CaseState.IDENTITY_OK,
    CaseState.DISCOVERING,
    CaseState.SCHEDULED,
    CaseState.RUNNING,
)
"""States that end by themselves: the page looks again."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody else's memory that mentions the person; None once it is gone."""

    row: CaseMention
    memory: Memory | None
    without_names: str
    """What it says, with marks in the place of the person's names."""

    @property
    def kinds(self) -> list[str]:
        """By which kinds of identifiers it was found."""
        return self.row.matched.split(",")


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter with its words, empty once they were deleted."""

    row: CaseLetter
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    row: CaseNote
    text: str


@dataclass(frozen=True, slots=True)
class Detail:
    """A request under somebody's eyes.

    `stores` are rows of the frozen preview; before an approval `now` says how many
    there are at present.
    """

    case: ErasureCase
    file: CaseFile
    due: Due
    aim: date
    first_due: date
    law: str
    events: Sequence[CaseEvent]
    pauses: Sequence[CasePause]
    stores: Sequence[dict[str, object]]
    mentions: Sequence[Mention]
    undecided: int
    run: ErasureRun | None
    failing: int
    holds: Sequence[LegalHold]
    letters: Sequence[Letter]
    unsent: int
    notes: Sequence[Note]
    recipients: Sequence[CaseRecipient]
    untold: int
    certificates: Sequence[Certificate]
    others: Sequence[ErasureCase]
    is_empty: bool
    is_moving: bool

    @property
    def busy_passes(self) -> list[ErasurePass]:
        """Passes of stores in which there was something."""
        return [one for one in self._passes if one.matched or one.residue or one.held]

    @property
    def idle_passes(self) -> list[ErasurePass]:
        """Passes of the other stores."""
        busy = self.busy_passes
        return [one for one in self._passes if one not in busy]

    @property
    def _passes(self) -> list[ErasurePass]:
        return list(self.run.passes.all()) if self.run else []


def look(case: ErasureCase, *, today: date) -> Detail:
    """Return the request's page as plain values."""
    mentions = _mentions(case)
    letters = [_letter(one, case) for one in case.letters.order_by("-pk")]
    recipients = list(case.recipients.order_by("kind", "name"))
    return Detail(
        case=case,
        file=file_of(case),
        due=due_of(case, today),
        aim=aim_of(case, settings.HOLIDAYS),
        first_due=due_on(case, extended=False),
        law=law_of(case),
        events=list(case.events.order_by("-pk")),
        pauses=list(case.pauses.order_by("pk")),
        stores=_stores(case),
        mentions=mentions,
        undecided=sum(not one.row.treatment for one in mentions),
        run=_run(case),
        failing=ErasureRun.objects.filter(state=RunState.FAILED).count(),
        holds=_holds(case),
        letters=letters,
        unsent=sum(one.row.sent_on is None for one in letters),
        notes=[_note(one, case) for one in case.notes.order_by("-pk")],
        recipients=recipients,
        untold=sum(not one.result for one in recipients),
        certificates=list(Certificate.objects.filter(case=case).order_by("-version")),
        others=list(others_of(case)[:10]),
        is_empty=is_empty(case),
        is_moving=case.state in MOVING,
    )


def _stores(case: ErasureCase) -> list[dict[str, object]]:
    preview = case.preview or {}
    now = preview.get("now") or {}
    return [{**one, "now": now.get(one["store"])} for one in preview.get("stores", [])]


def _run(case: ErasureCase) -> ErasureRun | None:
    rows = ErasureRun.objects.prefetch_related("passes")
    return rows.filter(ref=case.run_ref).first() if case.run_ref else None


def _holds(case: ErasureCase) -> list[LegalHold]:
    """Return the holds that stand and reach something of the person."""
    owners = Owner.objects.filter(external_id__in=file_of(case).owner_ids)
    own = Memory.unscoped.filter(owner__in=owners)
    reach = (
        Q(owner__in=owners)
        | Q(memory_id__in=own.values("pk"))
        | Q(namespace_id__in=own.values("namespace_id"))
    )
    rows = LegalHold.objects.filter(reach, released_at=None)
    return list(rows.select_related("owner", "namespace").order_by("-pk"))


def _mentions(case: ErasureCase) -> list[Mention]:
    rows = list(case.mentions.order_by("memory_id"))
    ids: list[UUID] = [one.memory_id for one in rows]
    memories = {
        one.pk: one
        for one in Memory.unscoped.filter(pk__in=ids).select_related("owner")
    }
    names = file_of(case).subject().names
    return [_mention(one, memories.get(one.memory_id), names) for one in rows]


def _mention(
    row: CaseMention, memory: Memory | None, names: Sequence[Identifier]
) -> Mention:
    return Mention(row, memory, redact(memory.content, names) if memory else "")


def _letter(letter: CaseLetter, case: ErasureCase) -> Letter:
    return Letter(letter, unseal_text(case.ref, bytes(letter.sealed)))


def _note(note: CaseNote, case: ErasureCase) -> Note:
    return Note(note, unseal_text(case.ref, bytes(note.sealed)))
