import uuid

from django.db import models
from django.db.models import Q

from moderation.models.erasure_case import ErasureCase


class Certificate(models.Model):
    """A signed document about one request; never changed, at most replaced.

    The id is random: it is the address that anybody may open.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(
        ErasureCase, on_delete=models.PROTECT, related_name="certificates"
    )
    kind = models.CharField(max_length=10)
    version = models.PositiveSmallIntegerField()
    document = models.JSONField()
    issued_at = models.DateTimeField()
    issued_by = models.CharField(max_length=150)
    replaced_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="certificate_version_is_one_per_case", fields=["case", "version"]
            ),
            models.UniqueConstraint(
                name="certificate_stands_once_per_case",
                fields=["case"],
                condition=Q(replaced_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"certificate {self.pk}"
