from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class Owner(models.Model):
    """The end user to whom memories belong; global in the installation.

    Row-level security hides everything of an owner who is being erased (`fenced_at`) or
    whose data a request restricts (`restricted_by`, references; None if by none).
    """

    external_id = models.CharField(max_length=200, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    fenced_at = models.DateTimeField(null=True)
    restricted_by = ArrayField(models.CharField(max_length=40), null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="owner_external_id_is_not_empty",
                condition=~models.Q(external_id=""),
            ),
            models.CheckConstraint(
                name="owner_is_restricted_by_somebody_or_none",
                condition=Q(restricted_by=None) | Q(restricted_by__len__gt=0),
            ),
        ]
        indexes = [
            models.Index(
                "id",
                name="owner_restricted",
                condition=Q(restricted_by__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"owner {self.pk}"

    @property
    def is_shut(self) -> bool:
        """Whether agents neither see nor change anything of theirs."""
        return self.fenced_at is not None or self.restricted_by is not None
