"""The environment of a test run: a temporary home and the servers that live in it.

It must be in place before Django's settings are read, long before any fixture.
"""

import os
import tempfile
from pathlib import Path

from memory_core.config.embedded import addresses

_made: Path | None = None


def use_temporary_home() -> None:
    """Point this process and its children to a new, empty home."""
    global _made
    home = _made = Path(tempfile.mkdtemp(prefix="mneme-tests-"))
    home.chmod(0o711)  # the servers of a test run by root pass through it
    where = addresses(home)
    os.environ |= {
        "MNEME_HOME": str(home),
        "DATABASE_URL": where.database_url,
        "REDIS_URL": where.redis_url,
        "OMP_NUM_THREADS": "1",
    }


def temporary_home() -> Path:
    """Return the home of this test run, never a real one."""
    if _made is None:
        raise RuntimeError("run the tests with DJANGO_SETTINGS_MODULE=tests.settings")
    return _made
