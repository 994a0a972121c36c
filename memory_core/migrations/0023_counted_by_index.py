"""Counts of the console's first pages come from indexes alone."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0022_shut_owners")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                "created_at", name="memory_pending_since", condition=Q(status=2)
            ),
        ),
        migrations.RemoveIndex(model_name="memory", name="memory_by_source"),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                "source",
                "id",
                name="memory_by_source",
                include=["status", "reviewed_at"],
            ),
        ),
    ]
