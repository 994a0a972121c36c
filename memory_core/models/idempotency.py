from django.db import models

from memory_core.models.token import Token


class IdempotencyRecord(models.Model):
    """The answer given under an Idempotency-Key: ids and events, no text."""

    token = models.ForeignKey(Token, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    body_digest = models.BinaryField(max_length=32)
    answer = models.JSONField()
    owner_id = models.BigIntegerField(null=True, db_index=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="idempotencyrecord_is_one_per_token_and_key",
                fields=["token", "key"],
            )
        ]

    def __str__(self) -> str:
        return f"answer {self.pk}"
