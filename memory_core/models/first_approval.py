from django.db import models
from django.db.models import F, Q


class FirstApproval(models.Model):
    """One reviewer would let a memory in, and a second one must agree.

    It is there only while the memory waits, and holds for the `version` that was looked
    at. With `rejected_by` a second one disagreed, and a lead decides. What they said is
    the coded reason that each chose, in words.
    """

    memory_id = models.UUIDField(primary_key=True)
    version = models.PositiveIntegerField()
    approved_by = models.CharField(max_length=150)
    approved_at = models.DateTimeField()
    approved_said = models.CharField(max_length=100, blank=True, default="")
    rejected_by = models.CharField(max_length=150, blank=True, default="")
    rejected_at = models.DateTimeField(null=True)
    rejected_said = models.CharField(max_length=100, blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="firstapproval_is_disputed_by_another",
                condition=~Q(rejected_by=F("approved_by")),
            ),
            models.CheckConstraint(
                name="firstapproval_dispute_names_who",
                condition=Q(rejected_by="", rejected_at=None)
                | ~Q(rejected_by="") & Q(rejected_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"first approval of {self.memory_id}"

    @property
    def is_disputed(self) -> bool:
        """Whether a second reviewer disagreed."""
        return bool(self.rejected_by)

    @property
    def people(self) -> tuple[str, str]:
        """Who would let it in, and who would not (empty: nobody yet)."""
        return self.approved_by, self.rejected_by
