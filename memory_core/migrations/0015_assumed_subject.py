"""Whether a memory's subject was sent or is its source's name."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0014_list_paths")]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="subject_is_assumed",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="nobody sent the subject: the source's name stands in",
            ),
        ),
    ]
