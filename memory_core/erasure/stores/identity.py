"""What names the person: tokens bound to them, sources, holds that are over, owners."""

from collections.abc import Iterator, Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from memory_core import auditing
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.erasure import Holds, Stage, Step, StoreCount, Subject
from memory_core.erasure.patterns import pattern_of_all
from memory_core.erasure.stores.tables import HELD, counted
from memory_core.keys import data
from memory_core.models import LegalHold, Memory, Owner, RawTurns, Source, Token


class Tokens:
    """Tokens that are bound to the owner id: revoked by the fence, now unnamed."""

    store = "tokens"
    stage = Stage.IDENTITY
    covers = ("memory_core.token.owner_claim",)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are."""
        found = _tokens(subject).count()
        return StoreCount(self.store, found, 0, redact=found)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Put a claim that fits nobody in the place of the owner id."""
        tokens = list(_tokens(subject).select_for_update())
        for token in tokens:
            token.owner_claim = f"erased {token.pk}"
            token.revoked_at = token.revoked_at or timezone.now()
            token.save(update_fields=["owner_claim", "revoked_at"])
        return Step(redacted=len(tokens))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many still name the owner."""
        return _tokens(subject).count()

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield prefix, scopes and time of each."""
        yield from _tokens(subject).values("prefix", "scopes", "created_at")


class Sources:
    """Sources that are called like the person: dropped, or unnamed where in use."""

    store = "sources"
    stage = Stage.IDENTITY
    covers = ("memory_core.source.name", "memory_core.source.key")

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are, and how many of them others use."""
        rows = _sources(subject)
        free = rows.exclude(_is_used_by_held(holds))
        used = free.filter(_is_used()).count()
        found, kept = rows.count(), rows.count() - free.count()
        ground = HELD if kept else ""
        return StoreCount(self.store, found, found - kept - used, used, kept, ground)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Drop what nobody uses; a block stays in force under its alias alone."""
        free = _sources(subject).exclude(_is_used_by_held(holds))
        rows = list(free.select_for_update())
        used = set(
            Memory.unscoped.filter(source__in=rows).values_list("source_id", flat=True)
        )
        gone = [row for row in rows if row.pk not in used and row.blocked_at is None]
        Source.objects.filter(pk__in=[row.pk for row in gone]).delete()
        kept = [row for row in rows if row not in gone]
        for row in kept:
            row.name = row.key = f"erased {row.pk}"
            row.save(update_fields=["name", "key"])
        left = _sources(subject).count()
        return Step(erased=len(gone), redacted=len(kept), held=left)

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are still called like the person without need."""
        return _sources(subject).exclude(_is_used_by_held(holds)).count()

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield kind, name and trust of each."""
        yield from _sources(subject).values("kind", "name", "trust", "created_at")


class EndedHolds:
    """Legal holds on the owner that are over; the audit log keeps that they were."""

    store = "ended_holds"
    stage = Stage.IDENTITY
    covers = ("memory_core.legalhold.*",)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are, and how many of them stand."""
        rows = LegalHold.objects.filter(owner__in=subject.rows)
        return counted(self.store, rows.count(), rows.filter(pk__in=holds.ids).count())

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Drop those that are over."""
        rows = LegalHold.objects.filter(owner__in=subject.rows)
        gone, _ = rows.exclude(pk__in=holds.ids).delete()
        return Step(erased=gone, held=rows.count())

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left that are over."""
        return self.count(subject, holds).erase

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield reason and time of each."""
        rows = LegalHold.objects.filter(owner__in=subject.rows)
        yield from rows.values("reason", "placed_at", "expires_at", "released_at")


class Owners:
    """The row of an owner goes last, unless something of theirs is held."""

    store = "owners"
    stage = Stage.IDENTITY
    covers = ("memory_core.owner.*",)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many rows there are, and how many are needed for what is held."""
        rows = Owner.objects.filter(pk__in=subject.rows)
        kept = rows.filter(_is_needed(holds)).count()
        return counted(self.store, rows.count(), kept)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Drop the rows; what still refers to one is not erased yet, and this fails."""
        rows = Owner.objects.filter(pk__in=subject.rows)
        free = rows.exclude(_is_needed(holds))
        gone = free.count()
        free.delete()
        return Step(erased=gone, held=rows.count())

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many rows are left without need."""
        return self.count(subject, holds).erase

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield id and first appearance."""
        rows = Owner.objects.filter(pk__in=subject.rows)
        yield from rows.values("external_id", "created_at")


class DataKeys:
    """The keys of the person's sealed copies: destroyed, they make all unreadable."""

    store = "data_keys"
    stage = Stage.KEYS
    covers: tuple[str, ...] = ()

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many keys there are, and how many are needed for held data."""
        living = [one for one in subject.owner_ids if _has_key(one)]
        kept = len(living) if self._is_needed(subject, holds) else 0
        return counted(self.store, len(living), kept)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Destroy them; no new one is made under the same name."""
        counted = self.count(subject, holds)
        if self._is_needed(subject, holds):
            return Step(held=counted.keep)
        for owner_id in subject.owner_ids:
            was_living = _has_key(owner_id)
            kid = data.destroy(data.of_owner(owner_id))
            if was_living:
                auditing.record(
                    "erasure.destroy_key", by=SYSTEM, owner_id=owner_id, key=kid
                )
        return Step(erased=counted.matched)

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left without need."""
        return self.count(subject, holds).erase

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing."""
        yield from ()

    def _is_needed(self, subject: Subject, holds: Holds) -> bool:
        rows = Owner.objects.filter(pk__in=subject.rows)
        return rows.filter(_is_needed(holds)).exists()


def _tokens(subject: Subject) -> "QuerySet[Token]":
    return Token.objects.filter(owner_claim__in=subject.owner_ids)


def _sources(subject: Subject) -> "QuerySet[Source]":
    pattern = pattern_of_all(subject.names)
    if not pattern:
        return Source.objects.none()
    return Source.objects.filter(Q(name__iregex=pattern) | Q(key__iregex=pattern))


def _is_used_by_held(holds: Holds) -> Exists:
    """Where a held memory came from belongs to what is held."""
    held = (
        Q(pk__in=holds.memories)
        | Q(owner__in=holds.owners)
        | Q(namespace__in=holds.namespaces)
    )
    return Exists(Memory.unscoped.filter(held, source=OuterRef("pk")))


def _is_used() -> Exists:
    return Exists(Memory.unscoped.filter(source=OuterRef("pk")))


def _is_needed(holds: Holds) -> Q:
    """An owner is held, or has memories or conversations that are."""
    own = Q(owner=OuterRef("pk"))
    there = Q(namespace__in=holds.namespaces)
    memories = Memory.unscoped.filter(own, there | Q(pk__in=holds.memories))
    turns = RawTurns.objects.filter(own, there)
    return Q(pk__in=holds.owners) | Q(Exists(memories)) | Q(Exists(turns))


def _has_key(owner_id: str) -> bool:
    return data.exists(data.of_owner(owner_id))


STORES = (DataKeys(), Owners(), EndedHolds(), Sources(), Tokens())
