from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q

from memory_core.contracts.enums import EmbeddingState, Status, Tier
from memory_core.contracts.reviews import REPORTED
from memory_core.models.agent import Agent
from memory_core.models.base import new_id
from memory_core.models.category import Category
from memory_core.models.namespace import Namespace
from memory_core.models.owner import Owner
from memory_core.models.source import Source
from memory_core.querysets.memories import MemoryQuerySet, ScopedMemoryManager


class Memory(models.Model):
    """One short statement in natural language with its state.

    Written rarely and never by a recall: what a recall changes is in `MemoryUse`.
    `confirmed_at` is when it was last said again, `until` the moment from which it is
    no longer current (its successor's `observed_at`); `lineage_trust` ranks the least
    trusted input (see `memory_core.contracts.trust`); `verdict` and `decision` hold
    codes and numbers, never text.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(
        Namespace, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    owner = models.ForeignKey(
        Owner, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    source = models.ForeignKey(
        Source, on_delete=models.PROTECT, related_name="memories", db_index=False
    )
    agent = models.ForeignKey(
        Agent, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    token_prefix = models.CharField(max_length=12, blank=True, default="")
    category = models.ForeignKey(
        Category, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    tier = models.CharField(max_length=9, choices=Tier, default=Tier.LONG)
    status = models.SmallIntegerField(choices=Status, default=Status.ACTIVE)
    content = models.TextField()
    content_digest = models.BinaryField(max_length=32)
    text_key = models.BinaryField(max_length=32, help_text="digest of the folded text")
    subject = models.CharField(max_length=200, blank=True, default="")
    subject_is_assumed = models.BooleanField(
        default=False,
        db_default=False,
        help_text="nobody sent the subject: the source's name stands in",
    )
    entities = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    tags = ArrayField(models.CharField(max_length=100), default=list, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    importance = models.FloatField(default=0.5)
    confidence = models.FloatField(default=1.0)
    session_id = models.CharField(max_length=200, blank=True, default="")
    position = models.IntegerField(null=True)
    observed_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    occurred_at = models.DateTimeField(null=True)
    expire_at = models.DateTimeField(null=True)
    until = models.DateTimeField(null=True)
    external_id = models.CharField(max_length=200, blank=True, default="")
    superseded_by = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        related_name="supersedes",
        db_index=False,
    )
    merged_into = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        related_name="merged",
        db_index=False,
    )
    derived_from = ArrayField(models.UUIDField(), default=list, blank=True)
    related = ArrayField(models.UUIDField(), default=list, blank=True)
    lineage_trust = models.SmallIntegerField(default=0)
    decision = models.JSONField(default=dict, blank=True)
    verdict = models.JSONField(default=dict, blank=True)
    rules_version = models.CharField(max_length=40, blank=True, default="")
    embedding = models.CharField(
        max_length=6, choices=EmbeddingState, default=EmbeddingState.READY
    )
    version = models.PositiveIntegerField(default=1)
    reviewed_at = models.DateTimeField(null=True)
    reviewed_by = models.CharField(max_length=150, blank=True, default="")
    archived_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    objects: ClassVar[ScopedMemoryManager] = ScopedMemoryManager()
    unscoped = MemoryQuerySet.as_manager()

    class Meta:
        base_manager_name = "unscoped"
        default_manager_name = "unscoped"
        verbose_name_plural = "memories"
        constraints = [
            models.UniqueConstraint(
                name="memory_external_id_is_one_active_per_owner",
                fields=["namespace", "owner", "external_id"],
                condition=Q(status=Status.ACTIVE) & ~Q(external_id=""),
            ),
            models.CheckConstraint(
                name="memory_importance_and_confidence_are_in_range",
                condition=Q(
                    importance__gte=0,
                    importance__lte=1,
                    confidence__gte=0,
                    confidence__lte=1,
                ),
            ),
            models.CheckConstraint(
                name="memory_content_is_not_empty", condition=~Q(content="")
            ),
            models.CheckConstraint(
                name="memory_superseded_status_has_an_end",
                condition=~Q(status=Status.SUPERSEDED) | Q(until__isnull=False),
            ),
            models.CheckConstraint(
                name="memory_merged_is_not_active",
                condition=Q(merged_into=None) | ~Q(status=Status.ACTIVE),
            ),
            models.CheckConstraint(
                name="memory_archived_status_has_its_moment",
                condition=~Q(status=Status.ARCHIVED) | Q(archived_at__isnull=False),
            ),
            models.CheckConstraint(
                name="memory_review_names_who",
                condition=Q(reviewed_at=None, reviewed_by="")
                | Q(reviewed_at__isnull=False) & ~Q(reviewed_by=""),
            ),
        ]
        indexes = [
            models.Index("owner", "namespace", F("id").desc(), name="memory_by_owner"),
            models.Index("owner", "namespace", "text_key", name="memory_by_text"),
            models.Index(
                "owner",
                "namespace",
                "external_id",
                name="memory_by_external_id",
                condition=~Q(external_id=""),
            ),
            models.Index(
                "owner",
                "session_id",
                "position",
                name="memory_by_session",
                condition=~Q(session_id=""),
            ),
            models.Index(
                "owner",
                "subject",
                "namespace",
                name="memory_by_subject",
                condition=Q(status=Status.ACTIVE) & ~Q(subject=""),
            ),
            models.Index(
                "id", name="memory_pending", condition=Q(status=Status.PENDING)
            ),
            models.Index(
                "text_key",
                name="memory_pending_alike",
                condition=Q(status=Status.PENDING),
            ),
            models.Index(
                "created_at",
                name="memory_pending_since",
                condition=Q(status=Status.PENDING),
            ),
            models.Index(
                "status",
                "id",
                name="memory_not_active",
                condition=~Q(status=Status.ACTIVE),
            ),
            models.Index("namespace", F("id").desc(), name="memory_by_namespace"),
            models.Index(
                "id",
                name="memory_reported",
                condition=Q(
                    status=Status.ACTIVE, decision__contains={"reasons": [REPORTED]}
                ),
            ),
            models.Index(
                "expire_at", name="memory_expiring", condition=Q(status=Status.ACTIVE)
            ),
            models.Index(
                "source",
                "id",
                name="memory_by_source",
                include=["status", "reviewed_at"],
            ),
            models.Index(
                "superseded_by",
                name="memory_by_successor",
                condition=Q(superseded_by__isnull=False),
            ),
            models.Index(
                "merged_into",
                name="memory_by_survivor",
                condition=Q(merged_into__isnull=False),
            ),
            models.Index(
                "id",
                name="memory_awaiting_vector",
                condition=Q(embedding=EmbeddingState.QUEUED),
            ),
            models.Index("id", name="memory_derived", condition=~Q(derived_from=[])),
            GinIndex("tags", name="memory_by_tag", condition=Q(status=Status.ACTIVE)),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def stated_subject(self) -> str:
        """The subject as it was sent; "" (the owner, mostly) if it was assumed."""
        return "" if self.subject_is_assumed else self.subject


class MemoryVersion(models.Model):
    """What an update or a reinforcement replaced or said in other words."""

    memory = models.ForeignKey(
        Memory, on_delete=models.CASCADE, related_name="versions", db_index=False
    )
    version = models.PositiveIntegerField()
    event = models.CharField(max_length=20)
    content = models.TextField()
    values = models.JSONField(default=dict)
    changed_by = models.CharField(max_length=150)
    token_prefix = models.CharField(max_length=12, blank=True, default="")
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index("memory", "id", name="memoryversion_by_memory")]

    def __str__(self) -> str:
        return f"{self.memory_id} v{self.version}"
