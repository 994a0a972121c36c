from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from memory_core.contracts.enums import Status, VectorSpaceState
from memory_core.models.category import Category
from memory_core.models.memory import Memory
from memory_core.models.namespace import Namespace
from memory_core.models.owner import Owner


class EmbeddingModel(models.Model):
    """A vector space by the name of the model that makes it."""

    id = models.SmallAutoField(primary_key=True)
    name = models.CharField(max_length=200, unique=True)
    dimensions = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=VectorSpaceState)
    created_at = models.DateTimeField(auto_now_add=True)
    warnings = models.JSONField(default=list, blank=True)
    weighed_by = models.TextField(
        blank=True,
        default="",
        help_text="the judge's version and thresholds that the warnings are about",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="embeddingmodel_one_is_active",
                fields=["state"],
                condition=Q(state=VectorSpaceState.ACTIVE),
            )
        ]

    def __str__(self) -> str:
        return self.name


class MemoryVector(models.Model):
    """A memory in one vector space, with what a search filters by.

    A covering index over (owner, model) holds all of it, so that the exact search of
    one owner never touches the table (see the migration and docs/decisions).
    """

    pk = models.CompositePrimaryKey("memory_id", "model_id")
    memory = models.ForeignKey(
        Memory, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    model = models.ForeignKey(
        EmbeddingModel, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    owner = models.ForeignKey(
        Owner,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    namespace = models.ForeignKey(
        Namespace,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    category = models.ForeignKey(
        Category,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    status = models.SmallIntegerField(choices=Status)
    observed_at = models.DateTimeField()
    until = models.DateTimeField(null=True)
    vector = HalfVectorField()

    def __str__(self) -> str:
        return f"{self.memory_id} in {self.model_id}"
