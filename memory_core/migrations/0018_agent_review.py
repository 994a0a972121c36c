"""What reviewer agents may decide is a policy of the namespace."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory_core", "0017_sealed_turns"),
    ]

    operations = [
        migrations.AddField(
            model_name="namespace",
            name="agent_review",
            field=models.CharField(
                choices=[
                    ("none", "nothing"),
                    ("reject", "reject"),
                    ("inferences", "reject, and approve harmless inferences"),
                    ("all", "approve and reject everything"),
                ],
                default="inferences",
                max_length=10,
            ),
        ),
    ]
