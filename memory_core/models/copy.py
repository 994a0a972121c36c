from django.db import models
from django.db.models.functions import Now

from memory_core.models.base import new_id


class ColdWrite(models.Model):
    """A memory that was written and is not yet in the cold copy.

    A trigger adds the row in the transaction of the write, whoever writes; it holds no
    text and refers to nothing, so that it outlives what was deleted.
    """

    memory_id = models.UUIDField()
    owner_id = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index("owner_id", name="coldwrite_by_owner")]

    def __str__(self) -> str:
        return str(self.memory_id)


class Copy(models.Model):
    """A copy of all memories outside the database: how old, how large, when proved.

    The cold copy has one row, which moves on; every daily snapshot has its own.
    """

    class Kind(models.TextChoices):
        COLD = "cold"
        DAILY = "daily"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=5, choices=Kind)
    name = models.CharField(max_length=100)
    taken_at = models.DateTimeField()
    memories = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0, help_text="bytes")
    verified_at = models.DateTimeField(null=True)
    is_sound = models.BooleanField(null=True)
    finding = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        verbose_name_plural = "copies"
        constraints = [
            models.UniqueConstraint(
                name="copy_is_one_per_name", fields=["kind", "name"]
            ),
            models.CheckConstraint(
                name="copy_verification_has_its_moment",
                condition=models.Q(verified_at=None, is_sound=None)
                | models.Q(verified_at__isnull=False, is_sound__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
