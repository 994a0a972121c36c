from django.contrib.postgres.fields import ArrayField
from django.db import models

from memory_core.models.namespace import Namespace
from memory_core.models.owner import Owner


class RecallEvent(models.Model):
    """A memory was served to an agent: when, at which rank, with which score."""

    recall_id = models.UUIDField()
    memory_id = models.UUIDField(db_index=True)
    owner_id = models.BigIntegerField(db_index=True)
    namespace_id = models.BigIntegerField()
    agent_id = models.BigIntegerField()
    token_prefix = models.CharField(max_length=12)
    rank = models.PositiveSmallIntegerField()
    score = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index("recall_id", name="recallevent_by_recall"),
            models.Index("at", name="recallevent_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} at rank {self.rank}"


class RecallSample(models.Model):
    """A kept query with what it returned, for back-tests and replays.

    Personal data: erased with its owner, aged out after 30 days.
    """

    namespace = models.ForeignKey(Namespace, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(Owner, on_delete=models.CASCADE, related_name="+")
    recall_id = models.UUIDField()
    query = models.TextField()
    filters = models.JSONField(default=dict)
    returned = ArrayField(models.UUIDField(), default=list)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index("namespace", "at", name="recallsample_by_time")]

    def __str__(self) -> str:
        return f"sample {self.pk}"


class Feedback(models.Model):
    """What an agent said of a recalled memory."""

    memory_id = models.UUIDField(db_index=True)
    owner_id = models.BigIntegerField(db_index=True)
    namespace_id = models.BigIntegerField()
    recall_id = models.UUIDField(null=True)
    agent_id = models.BigIntegerField()
    verdict = models.CharField(max_length=10)
    note = models.TextField(blank=True, default="")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.verdict} on {self.memory_id}"
