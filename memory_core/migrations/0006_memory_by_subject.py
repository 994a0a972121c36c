"""Distinct subjects of an owner in a few steps of one index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0005_memory_confirmed_at")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                models.F("owner"),
                models.F("subject"),
                models.F("namespace"),
                condition=models.Q(
                    ("status", 1), models.Q(("subject", ""), _negated=True)
                ),
                name="memory_by_subject",
            ),
        ),
    ]
