"""Memories that an agent called wrong are found without looking at the others."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0018_agent_review")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                "id",
                name="memory_reported",
                condition=Q(
                    status=1,
                    decision__contains={"reasons": ["reported_wrong"]},
                ),
            ),
        ),
    ]
