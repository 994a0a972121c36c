"""The eight categories with their first policies; people tune them later."""

from django.db import migrations

CATEGORIES = [
    # name, half-life in days, write strategy, has a deadline
    ("profile", 180, "replace", False),
    ("fact", 180, "deduplicate", False),
    ("preference", 60, "replace", False),
    ("event", 30, "append", False),
    ("task", 15, "deduplicate", True),
    ("skill", 180, "replace", False),
    ("constraint", 365, "replace", False),
    ("temporary", 7, "append", False),
]


def add_categories(apps, schema_editor):
    Category = apps.get_model("memory_core", "Category")
    for name, half_life, strategy, has_deadline in CATEGORIES:
        Category.objects.get_or_create(
            name=name,
            defaults={
                "half_life": half_life,
                "write_strategy": strategy,
                "has_deadline": has_deadline,
            },
        )


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0002_access_paths")]

    operations = [migrations.RunPython(add_categories, migrations.RunPython.noop)]
