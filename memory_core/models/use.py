from django.db import models
from django.db.models import Q

from memory_core.models.memory import Memory


class MemoryUse(models.Model):
    """What recalls change: the only hot row, narrow, written in batches."""

    memory = models.OneToOneField(
        Memory, on_delete=models.CASCADE, primary_key=True, related_name="use"
    )
    owner_id = models.BigIntegerField()
    base_score = models.FloatField()
    last_accessed_at = models.DateTimeField(null=True)
    last_gain_at = models.DateTimeField(null=True)
    access_count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="memoryuse_base_score_is_in_range",
                condition=Q(base_score__gte=0, base_score__lte=1),
            )
        ]

    def __str__(self) -> str:
        return f"use of {self.memory_id}"
