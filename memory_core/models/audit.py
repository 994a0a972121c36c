from django.contrib.postgres.indexes import BrinIndex
from django.db import models


class AuditEntry(models.Model):
    """One thing that happened, without any memory text and without foreign keys.

    A database trigger refuses UPDATE, DELETE and TRUNCATE. Digests are keyed and made
    in the application; `details` holds codes and counts.
    """

    at = models.DateTimeField()
    actor = models.CharField(max_length=150)
    actor_token = models.CharField(max_length=12, blank=True, default="")
    action = models.CharField(max_length=50)
    outcome = models.CharField(max_length=10, default="done")
    namespace = models.CharField(max_length=100, blank=True, default="")
    memory_id = models.UUIDField(null=True)
    owner_digest = models.BinaryField(max_length=32, default=b"")
    content_digest = models.BinaryField(max_length=32, default=b"")
    request_id = models.CharField(max_length=100, blank=True, default="")
    details = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index("action", "id", name="auditentry_by_action"),
            models.Index("memory_id", name="auditentry_by_memory"),
            models.Index("request_id", name="auditentry_by_request"),
            models.Index("owner_digest", "id", name="auditentry_by_owner"),
            models.Index("actor", "id", name="auditentry_by_actor"),
            BrinIndex("at", name="auditentry_by_time", autosummarize=True),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.action}"


class AuditSeal(models.Model):
    """The link of one entry in the hash chain, written later by a background task."""

    position = models.BigIntegerField(primary_key=True)
    entry_id = models.BigIntegerField(unique=True)
    chain = models.BinaryField(max_length=32)
    sealed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"seal {self.position}"
