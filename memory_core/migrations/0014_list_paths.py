"""Lists of people's pages by index: by state, by namespace, the audit log by time."""

import django.db.models.deletion
from django.contrib.postgres.indexes import BrinIndex
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0013_namespace_secrets")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                "status", "id", name="memory_not_active", condition=~Q(status=1)
            ),
        ),
        migrations.RemoveIndex(model_name="memory", name="memory_waiting"),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index("namespace", F("id").desc(), name="memory_by_namespace"),
        ),
        migrations.AlterField(
            model_name="memory",
            name="namespace",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="memory_core.namespace",
            ),
        ),
        migrations.AddIndex(
            model_name="auditentry",
            index=BrinIndex("at", name="auditentry_by_time", autosummarize=True),
        ),
    ]
