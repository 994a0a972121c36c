"""What the ORM cannot spell: covering indexes, storage options, the audit trigger."""

from django.db import migrations

COVERING_VECTORS = """
CREATE INDEX memoryvector_of_owner ON memory_core_memoryvector (owner_id, model_id)
  INCLUDE (memory_id, namespace_id, category_id, status, observed_at, until, vector);
ALTER TABLE memory_core_memoryvector ALTER COLUMN vector SET STORAGE PLAIN;
ALTER TABLE memory_core_memoryvector SET (
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);
"""

COVERING_TERMS = """
ALTER TABLE memory_core_memoryterm DROP CONSTRAINT memory_core_memoryterm_pkey;
ALTER TABLE memory_core_memoryterm ADD CONSTRAINT memory_core_memoryterm_pkey
  PRIMARY KEY (owner_id, term, memory_id) INCLUDE (namespace_id, status, tf, len);
ALTER TABLE memory_core_memoryterm SET (
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);
"""

NARROW_USES = """
ALTER TABLE memory_core_memoryuse SET (fillfactor = 70);
"""

APPEND_ONLY = """
CREATE FUNCTION memory_core_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER auditentry_append_only
  BEFORE UPDATE OR DELETE ON memory_core_auditentry
  FOR EACH ROW EXECUTE FUNCTION memory_core_refuse_change();
CREATE TRIGGER auditentry_no_truncate
  BEFORE TRUNCATE ON memory_core_auditentry
  FOR EACH STATEMENT EXECUTE FUNCTION memory_core_refuse_change();
CREATE TRIGGER auditseal_append_only
  BEFORE UPDATE OR DELETE ON memory_core_auditseal
  FOR EACH ROW EXECUTE FUNCTION memory_core_refuse_change();
CREATE TRIGGER auditseal_no_truncate
  BEFORE TRUNCATE ON memory_core_auditseal
  FOR EACH STATEMENT EXECUTE FUNCTION memory_core_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("memory_core", "0001_initial")]

    operations = [
        migrations.RunSQL(COVERING_VECTORS, migrations.RunSQL.noop),
        migrations.RunSQL(COVERING_TERMS, migrations.RunSQL.noop),
        migrations.RunSQL(NARROW_USES, migrations.RunSQL.noop),
        migrations.RunSQL(APPEND_ONLY, migrations.RunSQL.noop),
    ]
