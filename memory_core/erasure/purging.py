"""Deleted rows leave the disk: tables, indexes, and the log of Valkey.

PostgreSQL keeps a deleted row, and every index entry of it, until a vacuum finds that
no reader can see it any more; pgvector zeroes a vector at that moment. So a purge waits
for the readers that were there, then vacuums, always with the indexes. Bytes may stay
in the free space of a page until it is used again, and in the write-ahead log until
that is recycled; `rewrite` makes the tables anew. A standby is clean when it has
replayed the vacuum.
"""

import logging
import re
import time
from typing import TypeAlias

import psycopg
import redis
from django.apps import apps
from django.db import connection, models
from psycopg import sql

from memory_core import valkey
from memory_core.models import ErasureRun
from memory_core.recall import indexes

VACUUM = "VACUUM (VERBOSE, INDEX_CLEANUP ON, TRUNCATE OFF)"
"""Without INDEX_CLEANUP the indexes are left alone when few rows are dead; cutting the
table's end would lock everybody out."""
REWRITE = "VACUUM (FULL, VERBOSE)"
CUTOFF = re.compile(r"removable cutoff: (\d+)")
AOF_SECONDS = 60.0
XIDS = 1 << 32

# A transaction, or a snapshot, from before the deletion may still see the rows.
OLD_READERS = """
SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint <= %(horizon)s
    OR EXISTS (SELECT FROM pg_stat_activity
                WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()
                  AND datname = current_database()
                  AND age(backend_xmin) >= age((%(horizon)s %% 4294967296)::text::xid))
"""

PLACE = "SELECT pg_current_wal_lsn()::text"
# A standby that is away keeps what it has, and its slot says how far it had come. Who
# may not see how far a standby is counts it as behind; so does a base backup under way.
COPIES_BEHIND = """
SELECT EXISTS (SELECT FROM pg_replication_slots
                WHERE coalesce(confirmed_flush_lsn, restart_lsn) < %(place)s::pg_lsn)
    OR EXISTS (SELECT FROM pg_stat_replication
                WHERE replay_lsn IS NULL OR replay_lsn < %(place)s::pg_lsn)
"""

Database: TypeAlias = "psycopg.Connection[tuple[object, ...]]"

logger = logging.getLogger(__name__)


def horizon() -> int:
    """Return the id of a transaction that is later than all deletions so far."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()::text::bigint")
        return int(cursor.fetchone()[0])


def purge(run: ErasureRun, *, rewrite: bool = False) -> bool:
    """Purge what the run deleted; False while somebody may still see it.

    `run.vacuumed_to` is set once this database is clean; copies of it (standbys, slots)
    have to follow so far. Runs as the owner of the tables, outside any transaction.
    Neither reads nor writes wait for it, unless tables are rewritten. Raises
    valkey.Unavailable.
    """
    with indexes.as_owner() as database:
        if rewrite or not run.vacuumed_to:
            if not _clean(database, run, REWRITE if rewrite else VACUUM):
                return False
            _rewrite_log_of_valkey()
            [place] = database.execute(PLACE).fetchone() or [""]
            run.vacuumed_to = str(place)
        [is_behind] = database.execute(
            COPIES_BEHIND, {"place": run.vacuumed_to}
        ).fetchone() or [True]
    return not is_behind


def _clean(database: Database, run: ErasureRun, verb: str) -> bool:
    if run.horizon is not None:
        [is_seen] = database.execute(
            OLD_READERS, {"horizon": run.horizon}
        ).fetchone() or [True]
        if is_seen:
            return False
    indexes.drop_of(run.owners, database)
    for table in tables():
        cutoff = _vacuum(database, verb, table)
        if cutoff is not None and run.horizon and _is_before(cutoff, run.horizon):
            return False
    return True


def tables() -> list[str]:
    """Return the tables in which a person's data may lie, toast tables included."""
    found: list[type[models.Model]] = [
        model
        for app in ("memory_core", "moderation")
        for model in apps.get_app_config(app).get_models()
    ]
    return sorted(model._meta.db_table for model in found if not _is_append_only(model))


def _is_append_only(model: type[models.Model]) -> bool:
    return model._meta.model_name in ("auditentry", "auditseal")


def _vacuum(database: Database, verb: str, table: str) -> int | None:
    """Return the transaction up to which dead rows went, None if it was not said."""
    said: list[str] = []

    def listen(notice: psycopg.errors.Diagnostic) -> None:
        said.append(notice.message_detail or notice.message_primary or "")

    database.add_notice_handler(listen)
    try:
        database.execute(sql.SQL(verb + " {}").format(sql.Identifier(table)))
    finally:
        database.remove_notice_handler(listen)
    found = CUTOFF.search("\n".join(said))
    return int(found.group(1)) if found else None


def _is_before(xid: int, horizon: int) -> bool:
    """Compare as PostgreSQL does: its short transaction ids go round."""
    return 0 < (horizon - xid) % XIDS < XIDS // 2


def _rewrite_log_of_valkey() -> None:
    """Have Valkey write its append-only file anew: the old one has what was deleted."""
    client = valkey.client()
    try:
        client.bgrewriteaof()
    except redis.ResponseError as error:
        logger.warning("Valkey's own log was not rewritten: %s", type(error).__name__)
        return
    end = time.monotonic() + AOF_SECONDS
    while time.monotonic() < end:
        state = client.info("persistence")
        if not (state["aof_rewrite_in_progress"] or state["aof_rewrite_scheduled"]):
            return
        time.sleep(0.2)
    raise valkey.Unavailable("the append-only file is still being rewritten")
