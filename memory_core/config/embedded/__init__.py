"""One machine, one command: the embedded servers and the supervisor of all parts."""

from dataclasses import dataclass
from pathlib import Path

from memory_core.config.embedded import postgres, valkey
from memory_core.config.embedded.home import Home
from memory_core.config.embedded.postgres import PostgresHandle, start_postgres
from memory_core.config.embedded.valkey import ValkeyHandle, start_valkey

__all__ = [
    "Addresses",
    "PostgresHandle",
    "ValkeyHandle",
    "addresses",
    "start_postgres",
    "start_valkey",
]


@dataclass(frozen=True)
class Addresses:
    """Where the embedded servers of one home listen, whether or not they run."""

    database_url: str
    redis_url: str


def addresses(home: Path) -> Addresses:
    """Return the addresses of the embedded servers of the installation in `home`."""
    place = Home(home.absolute())
    return Addresses(postgres.url(place), valkey.url(place))
