from django.db import models

from memory_core.models import Job


class BatchItem(models.Model):
    """One memory of a bulk decision, as it stood when the selection was taken.

    `outcome` is empty until its turn, then `done`, `half` (a second person must agree),
    `theirs` (claimed or decided by `who`), or the reason or code of a refusal.
    """

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="+")
    memory_id = models.UUIDField()
    version = models.PositiveIntegerField()
    outcome = models.CharField(max_length=40, blank=True, default="")
    who = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="batchitem_is_once_in_its_job", fields=["job", "memory_id"]
            )
        ]
        indexes = [models.Index("job", "outcome", "id", name="batchitem_by_outcome")]

    def __str__(self) -> str:
        return f"{self.memory_id} of {self.job_id}"
