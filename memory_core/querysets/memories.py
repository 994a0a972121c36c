"""The queryset of memories, and the manager that gives none without a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models

from memory_core.contracts.callers import OWNER_CLAIM_WILDCARD, Scope
from memory_core.contracts.enums import Status
from memory_core.contracts.reviews import REPORTED

if TYPE_CHECKING:
    from memory_core.models import Memory


class MemoryQuerySet(models.QuerySet["Memory"]):
    """Rows of one or more owners; a `Scope` narrows it first."""

    def within(self, scope: Scope) -> Self:
        """Return rows of the scope's owner in the scope's namespaces."""
        return self.filter(
            owner_id=scope.owner, namespace_id__in=list(scope.namespaces)
        )

    def of_claimed_owners(self, claim: str) -> Self:
        """Return rows of the owners that a token's owner claim covers."""
        if not claim:
            return self
        if claim.endswith(OWNER_CLAIM_WILDCARD):
            beginning = claim.removesuffix(OWNER_CLAIM_WILDCARD)
            return self.filter(owner__external_id__startswith=beginning)
        return self.filter(owner__external_id=claim)

    def active(self) -> Self:
        """Return rows that are recalled."""
        return self.filter(status=Status.ACTIVE)

    def pending(self) -> Self:
        """Return rows that wait for a person, and are not recalled until then."""
        return self.filter(status=Status.PENDING)

    def reported(self) -> Self:
        """Return active rows that an agent called wrong; a decision settles it.

        Some were approved before: what only readers say takes no approval back.
        """
        return self.filter(
            status=Status.ACTIVE, decision__contains={"reasons": [REPORTED]}
        )

    def made_of(self, parents: models.QuerySet[Memory]) -> Self:
        """Return rows that were derived from any of the parents."""
        is_parent = models.Func(
            models.F("pk"),
            models.OuterRef("derived_from"),
            template="(%(expressions)s))",
            arg_joiner=" = ANY(",
            output_field=models.BooleanField(),
        )
        derived = self.exclude(derived_from=[])
        return derived.filter(models.Exists(parents.filter(is_parent)))

    def unreviewed(self) -> Self:
        """Return active inferences that nobody has looked at yet."""
        return self.filter(
            status=Status.ACTIVE, reviewed_at=None, source__kind="inference"
        )


class ScopedMemoryManager(models.Manager["Memory"]):
    """The manager agents' code uses: nothing comes out without a scope.

    Every other query method raises, so a read that forgets the owner fails in its
    first test instead of leaking.
    """

    def within(self, scope: Scope) -> MemoryQuerySet:
        """Return rows of the scope's owner in the scope's namespaces."""
        return MemoryQuerySet(self.model, using=self._db).within(scope)

    def get_queryset(self) -> MemoryQuerySet:
        """Raise RuntimeError: `within` is the only way in."""
        raise RuntimeError("memories are reached by .within(scope), or by .unscoped")
