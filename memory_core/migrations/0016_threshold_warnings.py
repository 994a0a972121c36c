"""What is known of the relation thresholds on each embedding model."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0015_assumed_subject")]

    operations = [
        migrations.AddField(
            model_name="embeddingmodel",
            name="warnings",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="embeddingmodel",
            name="weighed_by",
            field=models.TextField(
                blank=True,
                default="",
                help_text="the judge's version and thresholds that the warnings are about",
            ),
        ),
    ]
