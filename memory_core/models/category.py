from django.db import models
from django.db.models import F, Q

from memory_core.contracts.enums import WriteStrategy
from memory_core.models.namespace import Namespace


class DecayPolicy(models.Model):
    """How fast something is forgotten; half-life in days, scores in [0, 1]."""

    half_life = models.FloatField(help_text="days")
    floor = models.FloatField(default=0.0)
    bonus_cap = models.FloatField(default=0.2)
    archive_below = models.FloatField(default=0.15)
    version = models.PositiveIntegerField(default=1)
    archives_after = models.DateTimeField(
        null=True, help_text="until then a change may not archive anything"
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                name="%(class)s_half_life_is_positive", condition=Q(half_life__gt=0)
            ),
            models.CheckConstraint(
                name="%(class)s_scores_are_in_range",
                condition=Q(
                    floor__gte=0,
                    floor__lte=1,
                    bonus_cap__gte=0,
                    bonus_cap__lte=1,
                    archive_below__gte=0,
                    archive_below__lte=1,
                ),
            ),
        ]


class Category(DecayPolicy):
    """What kind of statement a memory is, with its policy."""

    id = models.SmallAutoField(primary_key=True)
    name = models.CharField(max_length=20, unique=True)
    write_strategy = models.CharField(max_length=12, choices=WriteStrategy)
    has_deadline = models.BooleanField(
        default=False, help_text="keeps full value until expire_at"
    )

    class Meta(DecayPolicy.Meta):
        verbose_name_plural = "categories"

    def __str__(self) -> str:
        return self.name


class CategoryOverride(DecayPolicy):
    """The policy of a category within one namespace."""

    category = models.ForeignKey(
        Category, on_delete=models.CASCADE, related_name="overrides"
    )
    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="overrides"
    )

    class Meta(DecayPolicy.Meta):
        constraints = [
            *DecayPolicy.Meta.constraints,
            models.UniqueConstraint(
                name="categoryoverride_is_one_per_namespace",
                fields=["category", "namespace"],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.category_id} in {self.namespace_id}"


class CategoryVersion(models.Model):
    """What a policy was before a change: who changed it, when and why."""

    category = models.ForeignKey(
        Category, on_delete=models.CASCADE, related_name="versions"
    )
    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, null=True, related_name="+"
    )
    version = models.PositiveIntegerField()
    values = models.JSONField()
    changed_by = models.CharField(max_length=150)
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                F("category"),
                F("namespace"),
                F("version"),
                name="categoryversion_is_numbered",
                nulls_distinct=False,
            )
        ]

    def __str__(self) -> str:
        return f"{self.category_id} v{self.version}"
