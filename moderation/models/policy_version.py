from django.db import models
from django.utils.translation import gettext_lazy as _

from memory_core.models import Namespace


class SecondReview(models.TextChoices):
    """Which decisions another person always makes again, without seeing the first."""

    SENSITIVE = "sensitive", _("sensitive actions")
    PERMANENT = "permanent", _("what would never fade")
    LOW_TRUST = "low_trust", _("what came from a tool or an inference")


class PolicyVersion(models.Model):
    """A namespace's policy of review as it was set: by whom, when and why.

    The newest version is in force; decisions keep the number of theirs.
    """

    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="policy_versions"
    )
    version = models.PositiveIntegerField()
    values = models.JSONField()
    changed_by = models.CharField(max_length=150)
    note = models.CharField(max_length=500, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="policyversion_is_numbered", fields=["namespace", "version"]
            )
        ]

    def __str__(self) -> str:
        return f"{self.namespace_id} v{self.version}"
