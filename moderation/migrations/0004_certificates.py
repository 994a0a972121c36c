import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("moderation", "0003_erasure_cases")]

    operations = [
        migrations.CreateModel(
            name="Certificate",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("kind", models.CharField(max_length=10)),
                ("version", models.PositiveSmallIntegerField()),
                ("document", models.JSONField()),
                ("issued_at", models.DateTimeField()),
                ("issued_by", models.CharField(max_length=150)),
                ("replaced_at", models.DateTimeField(null=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="certificates",
                        to="moderation.erasurecase",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=["case", "version"],
                        name="certificate_version_is_one_per_case",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("replaced_at", None)),
                        fields=["case"],
                        name="certificate_stands_once_per_case",
                    ),
                ]
            },
        )
    ]
