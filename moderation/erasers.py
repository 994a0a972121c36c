"""What the people's side holds of the persons of memories: reviews and their notes.

The files of requests are sealed with a key of their own and go when the request has
been closed for some months; until then they are the proof that it was answered.
"""

from collections.abc import Iterator, Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from memory_core import erasers
from memory_core.contracts.erasure import Holds, Stage, Step, StoreCount, Subject
from memory_core.erasure.patterns import pattern_of_all, redact
from memory_core.models import Memory
from moderation.models import ReviewCase, ReviewNote

HELD = "legal_hold"


class Reviews:
    """Reviews of the person's memories, and of memories that are gone already."""

    store = "reviews"
    stage = Stage.REVIEWS
    covers: tuple[str, ...] = (
        "moderation.reviewcase.*",
        "moderation.reviewnote.*",
        "moderation.reviewsnooze.*",
    )

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are, and how many are of held memories."""
        matched, free = _reviews(subject).count(), self._free(subject, holds).count()
        kept = matched - free
        return StoreCount(
            self.store, matched, free, keep=kept, ground=HELD if kept else ""
        )

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Drop them with their notes."""
        rows = self._free(subject, holds)
        gone = rows.count()
        rows.delete()
        return Step(erased=gone, held=_reviews(subject).count())

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left that are not of held memories."""
        return self._free(subject, holds).count()

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield memory, decision and the notes' texts."""
        for case in _of(subject).prefetch_related("notes"):
            yield {
                "memory_id": case.memory_id,
                "state": case.state,
                "reason": case.reason,
                "notes": [note.text for note in case.notes.all()],
            }

    def _free(self, subject: Subject, holds: Holds) -> "QuerySet[ReviewCase]":
        held = Memory.unscoped.filter(
            Q(owner__in=holds.owners)
            | Q(namespace__in=holds.namespaces)
            | Q(pk__in=holds.memories),
            pk=OuterRef("memory_id"),
        )
        return _reviews(subject).exclude(Exists(held))


class OtherNotes:
    """Notes on other people's memories that name the person: the name is redacted."""

    store = "other_notes"
    stage = Stage.MENTIONS
    covers: tuple[str, ...] = ("moderation.reviewnote.text",)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are."""
        found = _notes(subject).count()
        return StoreCount(self.store, found, 0, redact=found)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Put a mark in the place of the names."""
        notes = list(_notes(subject))
        for note in notes:
            note.text = redact(note.text, subject.names)
        ReviewNote.objects.bulk_update(notes, ["text"])
        return Step(redacted=len(notes))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many still name the person."""
        return _notes(subject).count()

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing: they are about other people's memories."""
        yield from ()


def register() -> None:
    """Name the erasers of this app."""
    erasers.register(Reviews(), OtherNotes())


def _of(subject: Subject) -> "QuerySet[ReviewCase]":
    own = Memory.unscoped.filter(owner__in=subject.rows, pk=OuterRef("memory_id"))
    return ReviewCase.objects.filter(Exists(own))


def _reviews(subject: Subject) -> "QuerySet[ReviewCase]":
    there = Memory.unscoped.filter(pk=OuterRef("memory_id"))
    own = there.filter(owner__in=subject.rows)
    return ReviewCase.objects.filter(Q(Exists(own)) | ~Q(Exists(there)))


def _notes(subject: Subject) -> "QuerySet[ReviewNote]":
    pattern = pattern_of_all(subject.names)
    if not pattern:
        return ReviewNote.objects.none()
    own = Memory.unscoped.filter(owner__in=subject.rows, pk=OuterRef("case__memory_id"))
    return ReviewNote.objects.filter(~Q(Exists(own)), text__iregex=pattern)
