from django.db import models
from django.db.models import Q

from memory_core.contracts.enums import SourceKind, Trust
from memory_core.models.namespace import Namespace


class Source(models.Model):
    """Where memories of a namespace came from, how far it is trusted, if blocked.

    `key` is the name with its aliases folded, so that one source has one row.
    """

    namespace = models.ForeignKey(
        Namespace, on_delete=models.PROTECT, related_name="sources"
    )
    kind = models.CharField(max_length=12, choices=SourceKind)
    name = models.CharField(max_length=200, blank=True)
    key = models.CharField(max_length=250, blank=True)
    trust = models.CharField(max_length=8, choices=Trust, default=Trust.NORMAL)
    blocked_at = models.DateTimeField(null=True)
    blocked_by = models.CharField(max_length=150, blank=True, default="")
    blocked_until = models.DateTimeField(null=True)
    block_reason = models.CharField(max_length=50, blank=True, default="")
    refused_writes = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="source_is_one_per_namespace_kind_and_key",
                fields=["namespace", "kind", "key"],
            ),
            models.CheckConstraint(
                name="source_block_names_who",
                condition=Q(blocked_at=None, blocked_by="")
                | Q(blocked_at__isnull=False) & ~Q(blocked_by=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"
