"""What waits and says the same is counted in an index."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0025_derived")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                "text_key", name="memory_pending_alike", condition=Q(status=2)
            ),
        ),
    ]
