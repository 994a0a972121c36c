from django.db import models
from django.db.models import Q

from memory_core.models.namespace import Namespace
from memory_core.models.owner import Owner


class Tombstone(models.Model):
    """The keyed digest of an identifier that was erased and must not come back."""

    kind = models.CharField(max_length=20, default="owner")
    digest = models.BinaryField(max_length=32)
    key_id = models.CharField(max_length=20)
    case_ref = models.CharField(max_length=40, blank=True, default="")
    fenced_at = models.DateTimeField()
    erased_at = models.DateTimeField(null=True)
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="tombstone_is_one_per_digest",
                fields=["kind", "digest"],
                condition=Q(lifted_at=None),
            )
        ]

    def __str__(self) -> str:
        return f"tombstone {self.pk}"


class LegalHold(models.Model):
    """A duty to keep: nothing in its reach may be deleted while it stands."""

    owner = models.ForeignKey(
        Owner, on_delete=models.PROTECT, null=True, related_name="+"
    )
    namespace = models.ForeignKey(
        Namespace, on_delete=models.PROTECT, null=True, related_name="+"
    )
    memory_id = models.UUIDField(null=True, db_index=True)
    reason = models.CharField(max_length=50)
    placed_by = models.CharField(max_length=150)
    placed_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    released_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="legalhold_holds_something",
                condition=Q(owner__isnull=False)
                | Q(namespace__isnull=False)
                | Q(memory_id__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"hold {self.pk}"
