-- Empties the schema: whatever is in it and belongs to no extension.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT c.oid::regclass::text AS name
      FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('DROP TABLE IF EXISTS %s CASCADE', one.name);
  END LOOP;
  FOR one IN
    SELECT p.oid::regprocedure::text AS name
      FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('DROP FUNCTION IF EXISTS %s CASCADE', one.name);
  END LOOP;
END
$$;
