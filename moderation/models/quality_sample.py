from datetime import date, datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class QualitySample(models.Model):
    """One question of a week: is this memory right, does this recall lack something?

    `subject_id` is the memory's id or that of the recall; no text is kept here.
    """

    class Kind(models.TextChoices):
        MEMORY = "memory", _("memory")
        RECALL = "recall", _("recall")

    kind = models.CharField(max_length=6, choices=Kind)
    week = models.DateField(help_text="its Monday")
    subject_id = models.UUIDField()
    is_right = models.BooleanField(null=True)
    decided_by = models.CharField(max_length=150, blank=True, default="")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="qualitysample_is_drawn_once", fields=["kind", "subject_id"]
            ),
            models.CheckConstraint(
                name="qualitysample_answer_names_who",
                condition=Q(is_right=None, decided_at=None, decided_by="")
                | Q(is_right__isnull=False, decided_at__isnull=False)
                & ~Q(decided_by=""),
            ),
        ]
        indexes = [
            models.Index("week", "kind", name="qualitysample_by_week"),
            models.Index("decided_at", name="qualitysample_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.week}"

    @staticmethod
    def week_of(now: datetime) -> date:
        """Return the Monday of a moment's week (UTC)."""
        return now.date() - timedelta(days=now.weekday())
