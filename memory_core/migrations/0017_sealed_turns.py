"""What was said is sealed with its owner's key before the readable columns go."""

import json
from typing import Any

from django.db import migrations, models

from memory_core.keys import data


def seal(apps: Any, schema_editor: Any) -> None:
    """Seal the conversations of the last days; those of erased people stay empty."""
    rows = apps.get_model("memory_core", "RawTurns").objects.select_related("owner")
    for row in rows.iterator():
        said = json.dumps({"messages": row.messages, "summary": row.summary})
        name = data.of_owner(row.owner.external_id)
        if data.is_destroyed(name):
            continue
        row.sealed = data.seal(name, said.encode())
        row.save(update_fields=["sealed"])


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0016_threshold_warnings")]

    operations = [
        migrations.AddField(
            model_name="rawturns",
            name="sealed",
            field=models.BinaryField(default=b""),
        ),
        migrations.RunPython(seal, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(model_name="rawturns", name="messages"),
        migrations.RemoveField(model_name="rawturns", name="summary"),
    ]
