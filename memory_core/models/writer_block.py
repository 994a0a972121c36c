from django.db import models
from django.db.models import Q

from memory_core.models.agent import Agent
from memory_core.models.token import Token


class WriterBlock(models.Model):
    """Nothing that an agent, or one of its tokens, sends is stored while it stands.

    `until` ends it by itself; a lifted one stays as a record.
    """

    agent = models.ForeignKey(
        Agent, on_delete=models.CASCADE, null=True, related_name="blocks"
    )
    token = models.ForeignKey(
        Token, on_delete=models.CASCADE, null=True, related_name="blocks"
    )
    reason = models.CharField(max_length=50)
    blocked_at = models.DateTimeField()
    blocked_by = models.CharField(max_length=150)
    until = models.DateTimeField(null=True)
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.CharField(max_length=150, blank=True, default="")
    refused_writes = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="writerblock_is_of_an_agent_or_a_token",
                condition=Q(agent=None) ^ Q(token=None),
            ),
            models.CheckConstraint(
                name="writerblock_lifting_names_who",
                condition=Q(lifted_at=None, lifted_by="")
                | Q(lifted_at__isnull=False) & ~Q(lifted_by=""),
            ),
            models.UniqueConstraint(
                "agent",
                "token",
                name="writerblock_stands_once",
                condition=Q(lifted_at=None),
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"block {self.pk}"
