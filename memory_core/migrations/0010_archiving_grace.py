"""A change of a half-life may leave some time before anything is archived."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0009_raw_turns")]

    operations = [
        migrations.AddField(
            model_name=model,
            name="archives_after",
            field=models.DateTimeField(
                help_text="until then a change may not archive anything", null=True
            ),
        )
        for model in ("category", "categoryoverride")
    ]
