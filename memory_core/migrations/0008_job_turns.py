"""Which job comes next is looked up at every turn."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0007_flush_mark")]

    operations = [
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                "namespace",
                "id",
                condition=models.Q(state="queued"),
                name="job_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index("namespace", "heartbeat_at", name="job_last_turn"),
        ),
    ]
