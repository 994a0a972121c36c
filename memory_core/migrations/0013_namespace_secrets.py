"""What becomes of keys and passwords may differ between namespaces."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_core", "0012_erasure_runs"),
    ]

    operations = [
        migrations.AddField(
            model_name="namespace",
            name="secrets",
            field=models.CharField(
                blank=True,
                choices=[
                    ("refuse", "refuse the memory"),
                    ("redact", "replace them and keep the rest"),
                ],
                default="",
                help_text="empty: MNEME_SECRETS",
                max_length=6,
            ),
        ),
    ]
