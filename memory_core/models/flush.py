from django.db import models
from django.db.models import Q


class FlushMark(models.Model):
    """The batch of notes that was written last, so that a crash cannot write it twice.

    One row: whoever flushes holds a lock, and the batch waits in Valkey until then.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    batch = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="flushmark_is_one_row", condition=Q(id=1))
        ]

    def __str__(self) -> str:
        return str(self.batch)
