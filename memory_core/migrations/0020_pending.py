"""What waits for review has an index in the order of the queue.

An index that begins with the state is in that order too, but the planner takes its rows
for scattered and reads all newer memories instead.
"""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0019_reported")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index("id", name="memory_pending", condition=Q(status=2)),
        ),
    ]
