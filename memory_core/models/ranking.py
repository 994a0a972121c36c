from django.db import models


class RankingProfile(models.Model):
    """Named weights of the recall ranking (see `recall.profiles`)."""

    name = models.CharField(max_length=60, unique=True)
    values = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
