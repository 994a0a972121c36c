"""Questions of a week: is this memory right, does this recall lack something?"""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("moderation", "0004_certificates")]

    operations = [
        migrations.CreateModel(
            name="QualitySample",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("memory", "memory"), ("recall", "recall")],
                        max_length=6,
                    ),
                ),
                ("week", models.DateField(help_text="its Monday")),
                ("subject_id", models.UUIDField()),
                ("is_right", models.BooleanField(null=True)),
                (
                    "decided_by",
                    models.CharField(blank=True, default="", max_length=150),
                ),
                ("decided_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        name="qualitysample_is_drawn_once",
                        fields=["kind", "subject_id"],
                    ),
                    models.CheckConstraint(
                        name="qualitysample_answer_names_who",
                        condition=Q(is_right=None, decided_at=None, decided_by="")
                        | Q(is_right__isnull=False, decided_at__isnull=False)
                        & ~Q(decided_by=""),
                    ),
                ],
                "indexes": [
                    models.Index("week", "kind", name="qualitysample_by_week"),
                    models.Index("decided_at", name="qualitysample_by_time"),
                ],
            },
        ),
    ]
