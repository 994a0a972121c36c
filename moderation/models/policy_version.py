from django.db import models

from memory_core.models import Namespace


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
