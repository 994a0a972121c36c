"""Put a dump in the place of the database: all of it or nothing, in one transaction."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import connection, transaction

from memory_core.backups import manifest, programs
from memory_core.backups.errors import BackupError
from memory_core.config import roles

CLEAR = Path(__file__).with_name("clear.sql")
PIECE = 1024 * 1024
NEXT_ENTRY = b"""
SELECT pg_catalog.setval(
  pg_catalog.pg_get_serial_sequence('public.memory_core_auditentry', 'id'),
  greatest(%d, (SELECT coalesce(max(id), 0) + 1 FROM public.memory_core_auditentry)),
  false);
"""
OTHERS = """
SELECT count(*) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid()
   AND backend_type = 'client backend'
"""
END_OTHERS = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid()
   AND backend_type = 'client backend'
"""


def connected() -> int:
    """Return how many others are connected to the database."""
    return _number(OTHERS)


def end_others() -> int:
    """End the connections of all others; return how many there were."""
    return _number(END_OTHERS)


def load(place: Path, *, next_entry: int) -> None:
    """Replace everything in the schema by the dump in `place`.

    New audit entries get ids from `next_entry` on, so that those which only the copy
    outside has can come back under theirs. BackupError if it fails; then the database
    is as it was.
    """
    roles.make(key=settings.DIGEST_KEY)
    folder = programs.folder()
    connection.close()
    with tempfile.TemporaryFile() as said:
        reading = _start(
            *(str(folder / "pg_restore"), "--file", "-", "--schema", "public"),
            *("--no-owner", "--no-privileges", str(place / manifest.DUMP)),
            stdout=subprocess.PIPE,
            said=said,
        )
        writing = _start(
            *(str(folder / "psql"), "--no-psqlrc", "--quiet", "--single-transaction"),
            *("--set", "ON_ERROR_STOP=1", "--output", "/dev/null"),
            *("--file", str(CLEAR), "--file", "-"),
            stdin=subprocess.PIPE,
            said=said,
        )
        if not _pump(reading, writing, NEXT_ENTRY % next_entry):
            said.seek(0)
            words = programs.first_fault(said.read())
            raise BackupError(f"The dump cannot be loaded: {words}")


def _start(
    *command: str,
    said: IO[bytes],
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    environment = programs.environment()
    return subprocess.Popen(
        command, env=environment, stdin=stdin, stdout=stdout, stderr=said
    )


def _pump(
    reading: subprocess.Popen[bytes], writing: subprocess.Popen[bytes], last: bytes
) -> bool:
    """Return whether all was read, the last statement after it, and committed.

    At the end of its input psql commits, so it is ended first if the reader failed.
    """
    source, sink = reading.stdout, writing.stdin
    assert source and sink  # noqa: S101 - both are pipes
    try:
        shutil.copyfileobj(source, sink, PIECE)
        if reading.wait():
            writing.kill()
        else:
            sink.write(last)
        sink.close()
    except BrokenPipeError:
        reading.kill()
    finally:
        source.close()
    return not writing.wait() and not reading.wait()


def _number(statement: str) -> int:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
        count: int = cursor.fetchone()[0]
    return count
