"""What was made of other memories is found without reading all that was not."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0024_writer_blocks")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                "id", name="memory_derived", condition=~Q(derived_from=[])
            ),
        ),
    ]
