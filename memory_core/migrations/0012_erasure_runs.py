"""Runs of erasures, what each did in every store, and the ids of what is gone."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import memory_core.models.erasure


class Migration(migrations.Migration):
    dependencies = [
        ("memory_core", "0011_cold_copy"),
    ]

    operations = [
        migrations.CreateModel(
            name="ErasureRun",
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
                    "ref",
                    models.CharField(
                        default=memory_core.models.erasure.new_ref,
                        max_length=40,
                        unique=True,
                    ),
                ),
                ("case_ref", models.CharField(blank=True, default="", max_length=40)),
                ("ground", models.CharField(max_length=40)),
                ("prepared_by", models.CharField(max_length=150)),
                ("approved_by", models.CharField(max_length=150)),
                ("is_canary", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("fenced", "fenced"),
                            ("executing", "executing"),
                            ("verifying", "verifying"),
                            ("residual_found", "residual_found"),
                            ("live_erased", "live_erased"),
                            ("partially_erased", "partially_erased"),
                            ("failed", "failed"),
                        ],
                        max_length=16,
                    ),
                ),
                ("subject", models.BinaryField(default=b"")),
                (
                    "owners",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                ("mentions", models.JSONField(default=dict)),
                (
                    "holds",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "preview_digest",
                    models.CharField(blank=True, default="", max_length=64),
                ),
                ("probes", models.JSONField(default=list)),
                ("rounds", models.PositiveSmallIntegerField(default=0)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("horizon", models.BigIntegerField(null=True)),
                ("error", models.CharField(blank=True, default="", max_length=100)),
                ("retry_at", models.DateTimeField(null=True)),
                ("fenced_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("verified_at", models.DateTimeField(null=True)),
                ("live_erased_at", models.DateTimeField(null=True)),
                ("index_purged_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(models.F("case_ref"), name="erasurerun_by_case"),
                    models.Index(models.F("state"), name="erasurerun_by_state"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_canary", True),
                            models.Q(
                                ("prepared_by", models.F("approved_by")), _negated=True
                            ),
                            _connector="OR",
                        ),
                        name="erasurerun_is_approved_by_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "live_erased"), _negated=True),
                            ("live_erased_at__isnull", False),
                            _connector="OR",
                        ),
                        name="erasurerun_erased_state_has_its_moment",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "live_erased"), _negated=True),
                            ("subject", b""),
                            _connector="OR",
                        ),
                        name="erasurerun_erased_keeps_no_subject",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ErasedMemory",
            fields=[
                ("memory_id", models.UUIDField(primary_key=True, serialize=False)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory_core.erasurerun",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "erased memories",
            },
        ),
        migrations.CreateModel(
            name="ErasurePass",
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
                ("position", models.PositiveSmallIntegerField()),
                ("store", models.CharField(max_length=40)),
                ("matched", models.PositiveBigIntegerField(default=0)),
                ("erased", models.PositiveBigIntegerField(default=0)),
                ("redacted", models.PositiveBigIntegerField(default=0)),
                ("held", models.PositiveBigIntegerField(default=0)),
                ("residue", models.PositiveBigIntegerField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passes",
                        to="memory_core.erasurerun",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "erasure passes",
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "store"),
                        name="erasurepass_is_one_per_run_and_store",
                    )
                ],
            },
        ),
    ]
