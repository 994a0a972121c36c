"""Servers of one test's own, which it may stop and start."""

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import psycopg

from memory_core.config.embedded import addresses, start_postgres, start_valkey
from tests.api.server import ROOT, LiveServer


class Stack:
    """A PostgreSQL, a Valkey and the API in a home of their own."""

    def __init__(self, home: Path) -> None:
        home.chmod(0o711)  # the servers of a test run by root pass through it
        self.home = home
        where = addresses(home)
        self.environment = {
            **os.environ,
            "MNEME_HOME": str(home),
            "DATABASE_URL": where.database_url,
            "REDIS_URL": where.redis_url,
            "DJANGO_SETTINGS_MODULE": "memory_core.config.settings",
        }
        with ExitStack() as started:
            self.postgres = start_postgres(home)
            started.callback(self.postgres.stop)
            self.valkey = start_valkey(home)
            started.callback(self.valkey.stop)
            self.manage("migrate", "--verbosity", "0")
            self.manage("bootstrap")
            words = ["--agent", "ann", "--scopes", "recall,save,delete", "--json"]
            self.token = json.loads(self.manage("issue_token", *words))["token"]
            self.api = LiveServer(self.environment)
            started.pop_all()

    def manage(self, *words: str) -> str:
        """Return what a management command prints; RuntimeError says why it failed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {words[0]}: {done.stderr.strip()}")
        return done.stdout

    def query(self, statement: str, *, force: bool = False) -> None:
        """Run a statement as the owner; `force` also on a read-only server."""
        where = self.environment["DATABASE_URL"]
        with psycopg.connect(where, autocommit=True) as database:
            if force:
                database.execute("SET default_transaction_read_only = off")
            database.execute(statement)

    def start_postgres(self) -> None:
        """Start it again, with its data."""
        self.postgres = start_postgres(self.home)

    def start_valkey(self) -> None:
        """Start it again."""
        self.valkey = start_valkey(self.home)

    def stop(self) -> None:
        """End everything."""
        self.api.stop()
        self.valkey.stop()
        self.postgres.stop()
