import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from memory_core.keys import data
from memory_core.models.base import new_id
from memory_core.models.namespace import Namespace
from memory_core.models.owner import Owner


class RawTurns(models.Model):
    """A stretch of a conversation as it was handed to the encoder.

    Kept for 7 days, so that a better encoder can read it again; personal data, erased
    with its owner. What was said is sealed with the owner's key, so that no backup of
    the database outlives an erasure with it. `made` are the memories that came of it,
    `forgot` those it deleted.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    owner = models.ForeignKey(Owner, on_delete=models.CASCADE, related_name="+")
    actor = models.CharField(max_length=150)
    agent_id = models.BigIntegerField()
    token_id = models.BigIntegerField()
    token_prefix = models.CharField(max_length=12)
    scopes = ArrayField(models.CharField(max_length=30), default=list)
    session_id = models.CharField(max_length=200, blank=True, default="")
    sealed = models.BinaryField(default=b"")
    created_at = models.DateTimeField(db_index=True)
    due_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    encoded_at = models.DateTimeField(null=True)
    encoder = models.CharField(max_length=100, blank=True, default="")
    counts = models.JSONField(default=dict)
    made = ArrayField(models.UUIDField(), default=list)
    forgot = ArrayField(models.UUIDField(), default=list)

    class Meta:
        verbose_name_plural = "raw turns"
        indexes = [
            models.Index(
                "due_at", name="rawturns_waiting", condition=Q(due_at__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"turns {self.pk}"

    def keep(self, messages: Sequence[Mapping[str, Any]], summary: str = "") -> None:
        """Seal what was said: `{role, content, at, position}`, secrets redacted."""
        said = json.dumps({"messages": list(messages), "summary": summary})
        self.sealed = data.seal(data.of_owner(self.owner.external_id), said.encode())

    @property
    def messages(self) -> list[dict[str, Any]]:
        """What was said; nothing once the owner's key is destroyed."""
        messages: list[dict[str, Any]] = self._said().get("messages", [])
        return messages

    @property
    def summary(self) -> str:
        """What was before it, in short."""
        summary: str = self._said().get("summary", "")
        return summary

    def _said(self) -> dict[str, Any]:
        if not self.sealed:
            return {}
        name = data.of_owner(self.owner.external_id)
        try:
            said: dict[str, Any] = json.loads(data.unseal(name, bytes(self.sealed)))
        except data.KeyDestroyed:
            return {}
        return said
