import django.contrib.postgres.fields
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """Whom agents neither see nor write for: under erasure, or restricted."""

    dependencies = [("memory_core", "0021_answers_without_status")]

    operations = [
        migrations.AddField(
            model_name="owner",
            name="fenced_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="owner",
            name="restricted_by",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40), null=True, size=None
            ),
        ),
        migrations.AddConstraint(
            model_name="owner",
            constraint=models.CheckConstraint(
                name="owner_is_restricted_by_somebody_or_none",
                condition=Q(restricted_by=None) | Q(restricted_by__len__gt=0),
            ),
        ),
        migrations.AddIndex(
            model_name="owner",
            index=models.Index(
                "id",
                name="owner_restricted",
                condition=Q(restricted_by__isnull=False),
            ),
        ),
        migrations.AddField(
            model_name="erasurerun",
            name="vacuumed_to",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=32
            ),
        ),
    ]
