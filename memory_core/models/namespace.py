from django.contrib.postgres.fields import ArrayField
from django.db import models

from memory_core.contracts.enums import (
    AgentReview,
    HoldInferences,
    NamespaceKind,
    SecondReview,
    Secrets,
)
from memory_core.querysets.namespaces import NamespaceQuerySet


class Namespace(models.Model):
    """A space of memories: an agent's private one, or one shared by grants."""

    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=10, choices=NamespaceKind)
    hold_inferences = models.CharField(
        max_length=10, choices=HoldInferences, default=HoldInferences.SUSPICIOUS
    )
    secrets = models.CharField(
        max_length=6,
        choices=Secrets,
        blank=True,
        default="",
        help_text="empty: MNEME_SECRETS",
    )
    agent_review = models.CharField(
        max_length=10, choices=AgentReview, default=AgentReview.INFERENCES
    )
    second_review = ArrayField(
        models.CharField(max_length=10, choices=SecondReview),
        default=list,
        blank=True,
        help_text="what two people must agree to let in",
    )
    review_share = models.FloatField(default=0.05)
    ranking_profile = models.ForeignKey(
        "RankingProfile", on_delete=models.PROTECT, null=True, related_name="+"
    )
    rate = models.PositiveIntegerField(default=100)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = NamespaceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="namespace_review_share_is_a_share",
                condition=models.Q(review_share__gte=0, review_share__lte=1),
            ),
            models.CheckConstraint(
                name="namespace_name_is_not_empty", condition=~models.Q(name="")
            ),
        ]

    def __str__(self) -> str:
        return self.name
