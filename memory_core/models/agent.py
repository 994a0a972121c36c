from django.db import models

from memory_core.models.namespace import Namespace


class Agent(models.Model):
    """A program with an identity; it holds tokens and one private namespace."""

    name = models.CharField(max_length=100, unique=True)
    namespace = models.OneToOneField(
        Namespace, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    disabled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="agent_name_is_not_empty", condition=~models.Q(name="")
            )
        ]

    def __str__(self) -> str:
        return self.name


class Grant(models.Model):
    """What one agent may do in one shared namespace."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="grants")
    namespace = models.ForeignKey(
        Namespace, on_delete=models.CASCADE, related_name="grants"
    )
    can_read = models.BooleanField(default=True)
    can_write = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="grant_is_one_per_agent_and_namespace",
                fields=["agent", "namespace"],
            ),
            models.CheckConstraint(
                name="grant_gives_something",
                condition=models.Q(can_read=True) | models.Q(can_write=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.agent_id} in {self.namespace_id}"
