from django.db import models
from django.db.models import F, Q

from memory_core.contracts.enums import JobState
from memory_core.models.base import new_id
from memory_core.models.namespace import Namespace


class Job(models.Model):
    """Background work that people can see: progress, counts, where to go on.

    `cursor` is what a killed worker resumes from; `cases` explains each change (ids,
    codes and numbers, no text).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=30)
    state = models.CharField(
        max_length=9, choices=JobState, default=JobState.QUEUED, db_index=True
    )
    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, null=True, related_name="+"
    )
    owner_id = models.BigIntegerField(null=True, db_index=True)
    params = models.JSONField(default=dict)
    cursor = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    cases = models.JSONField(default=list)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=500, blank=True, default="")
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index("kind", F("created_at").desc(), name="job_by_kind"),
            models.Index(
                "namespace", "id", name="job_waiting", condition=Q(state="queued")
            ),
            models.Index("namespace", "heartbeat_at", name="job_last_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
