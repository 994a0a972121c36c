from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from memory_core.models import Category, Namespace

MUCH = 0.05
"""Of a category's active memories; a change that drops more needs two people."""


class CategoryChange(models.Model):
    """A half-life that would drop much at once and waits for a second person.

    `share` is the part of the category's active memories that would fall below the
    threshold at once.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        CONFIRMED = "confirmed", _("confirmed")
        DECLINED = "declined", _("declined")

    category = models.ForeignKey(Category, on_delete=models.CASCADE, related_name="+")
    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, null=True, related_name="+"
    )
    values = models.JSONField()
    share = models.FloatField()
    note = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    proposed_by = models.CharField(max_length=150)
    decided_by = models.CharField(max_length=150, blank=True, default="")
    created_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="categorychange_has_two_people",
                condition=~Q(decided_by=F("proposed_by")) | ~Q(state="confirmed"),
            ),
            models.CheckConstraint(
                name="categorychange_decision_names_who",
                condition=Q(decided_at=None, decided_by="")
                | Q(decided_at__isnull=False) & ~Q(decided_by=""),
            ),
            models.UniqueConstraint(
                "category",
                "namespace",
                name="categorychange_waits_once",
                condition=Q(state="waiting"),
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"change of {self.category_id}"
