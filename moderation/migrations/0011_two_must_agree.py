"""Whether two must agree is asked where the decision is made, not repeated after it."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def hand_down(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The newest version of a policy says what two must agree on from now on."""
    rows = apps.get_model("moderation", "PolicyVersion").objects
    newest = rows.order_by("namespace", "-version").distinct("namespace")
    for one in newest.select_related("namespace"):
        one.namespace.second_review = one.values.get("second_review", [])
        one.namespace.save(update_fields=["second_review"])


class Migration(migrations.Migration):
    dependencies = [
        ("memory_core", "0027_two_must_agree"),
        ("moderation", "0010_policy_versions"),
    ]

    operations = [
        migrations.RunPython(hand_down, migrations.RunPython.noop),
        migrations.RemoveField(model_name="secondlook", name="rule"),
    ]
