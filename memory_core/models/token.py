from django.contrib.postgres.fields import ArrayField
from django.db import models

from memory_core.models.agent import Agent
from memory_core.models.namespace import Namespace


class Token(models.Model):
    """A secret of an agent, known here by its keyed digest only.

    `namespace` is where it writes when a call names none (else the agent's private
    one). `owner_claim` binds it to an owner id, or to a prefix when it ends with `*`.
    `addresses` are the networks it may come from; empty means any.
    """

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="tokens")
    prefix = models.CharField(max_length=12, db_index=True)
    digest = models.BinaryField(max_length=32, unique=True)
    scopes = ArrayField(models.CharField(max_length=30))
    namespace = models.ForeignKey(
        Namespace, on_delete=models.PROTECT, null=True, related_name="+"
    )
    owner_claim = models.CharField(max_length=200, blank=True, default="")
    addresses = ArrayField(models.CharField(max_length=50), default=list, blank=True)
    rate = models.PositiveIntegerField(default=100)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    successor = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="token_rate_is_positive", condition=models.Q(rate__gt=0)
            )
        ]

    def __str__(self) -> str:
        return self.prefix
