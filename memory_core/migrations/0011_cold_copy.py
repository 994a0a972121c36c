"""The catalogue of copies, and the outbox that every write of a memory fills."""

import django.db.models.functions.datetime
from django.db import migrations, models

import memory_core.models.base

# A statement adds its rows at once; with the owner's rights, since agents have none here.
OUTBOX = """
CREATE FUNCTION memory_core_note_cold_write() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO memory_core_coldwrite (memory_id, owner_id)
  SELECT id, owner_id FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER memory_inserted_for_cold_copy AFTER INSERT ON memory_core_memory
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION memory_core_note_cold_write();
CREATE TRIGGER memory_updated_for_cold_copy AFTER UPDATE ON memory_core_memory
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION memory_core_note_cold_write();
CREATE TRIGGER memory_deleted_for_cold_copy AFTER DELETE ON memory_core_memory
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION memory_core_note_cold_write();
INSERT INTO memory_core_coldwrite (memory_id, owner_id)
  SELECT id, owner_id FROM memory_core_memory;
"""
UNDO = """
DROP TRIGGER memory_inserted_for_cold_copy ON memory_core_memory;
DROP TRIGGER memory_updated_for_cold_copy ON memory_core_memory;
DROP TRIGGER memory_deleted_for_cold_copy ON memory_core_memory;
DROP FUNCTION memory_core_note_cold_write();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory_core", "0010_archiving_grace"),
    ]

    operations = [
        migrations.CreateModel(
            name="ColdWrite",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("memory_id", models.UUIDField()),
                ("owner_id", models.BigIntegerField()),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now()
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(models.F("owner_id"), name="coldwrite_by_owner")
                ],
            },
        ),
        migrations.CreateModel(
            name="Copy",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memory_core.models.base.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("cold", "Cold"), ("daily", "Daily")], max_length=5
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("taken_at", models.DateTimeField()),
                ("memories", models.PositiveBigIntegerField(default=0)),
                ("size", models.PositiveBigIntegerField(default=0, help_text="bytes")),
                ("verified_at", models.DateTimeField(null=True)),
                ("is_sound", models.BooleanField(null=True)),
                ("finding", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={
                "verbose_name_plural": "copies",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("kind", "name"), name="copy_is_one_per_name"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("is_sound", None), ("verified_at", None)),
                            models.Q(
                                ("is_sound__isnull", False),
                                ("verified_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="copy_verification_has_its_moment",
                    ),
                ],
            },
        ),
        migrations.RunSQL(OUTBOX, UNDO),
    ]
