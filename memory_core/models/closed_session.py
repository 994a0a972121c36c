from django.db import models

from memory_core.models.namespace import Namespace
from memory_core.models.owner import Owner


class ClosedSession(models.Model):
    """That a session took place and how it ended, without a word of it.

    `outcome` is completed, withdrawn or complained, empty where nobody said or the
    time ran out. An owner's first row in a namespace is the first session there.
    """

    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    owner = models.ForeignKey(Owner, on_delete=models.CASCADE, related_name="+")
    agent_id = models.BigIntegerField()
    rounds = models.PositiveIntegerField()
    outcome = models.CharField(max_length=10, blank=True, default="")
    started_at = models.DateTimeField()
    closed_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index("namespace", "closed_at", name="closedsession_by_time")]

    def __str__(self) -> str:
        return f"session of {self.closed_at:%Y-%m-%d}"
