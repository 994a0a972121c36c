"""Half-lives that wait for a second person."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [
        ("memory_core", "0010_archiving_grace"),
        ("moderation", "0001_review_cases"),
    ]

    operations = [
        migrations.CreateModel(
            name="CategoryChange",
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
                ("values", models.JSONField()),
                ("share", models.FloatField()),
                ("note", models.CharField(blank=True, max_length=500)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("confirmed", "confirmed"),
                            ("declined", "declined"),
                        ],
                        default="waiting",
                        max_length=9,
                    ),
                ),
                ("proposed_by", models.CharField(max_length=150)),
                (
                    "decided_by",
                    models.CharField(blank=True, default="", max_length=150),
                ),
                ("created_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "category",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_core.category",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_core.namespace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        name="categorychange_has_two_people",
                        condition=~Q(decided_by=F("proposed_by"))
                        | ~Q(state="confirmed"),
                    ),
                    models.CheckConstraint(
                        name="categorychange_decision_names_who",
                        condition=Q(decided_at=None, decided_by="")
                        | Q(decided_at__isnull=False) & ~Q(decided_by=""),
                    ),
                    models.UniqueConstraint(
                        F("category"),
                        F("namespace"),
                        name="categorychange_waits_once",
                        condition=Q(state="waiting"),
                        nulls_distinct=False,
                    ),
                ]
            },
        ),
    ]
