"""The TCP port of the service, taken once and by one installation only."""

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from memory_core.config.embedded.errors import CannotStart


def ensure_free(host: str, port: int) -> None:
    """Raise CannotStart if anything listens there.

    The web server shares its port with others of its kind without a word, so the
    question is asked with a socket that shares nothing.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OverflowError:
            raise CannotStart(f"MNEME_PORT={port} is not a port number.") from None
        except OSError as error:
            raise CannotStart(_explain(error, host, port)) from error


def _explain(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} on {host} is in use by another program; "
            f"stop it or choose another port: make run MNEME_PORT={port + 1}"
        )
    if error.errno == errno.EACCES:
        return f"This user may not listen on port {port}; choose one above 1023."
    return f"Cannot listen on {host} port {port}: {error.strerror}."


@contextmanager
def reserved(host: str, port: int) -> Iterator[None]:
    """Hold the port against other installations while the block runs.

    An abstract Unix socket lives in the same network namespace as the port, needs
    no file and ends with its process.
    """
    ensure_free(host, port)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as claim:
        try:
            claim.bind(f"\0mneme-port-{port}")
        except OSError as error:
            raise CannotStart(
                f"Another Mneme on this machine is starting on port {port}; "
                f"choose another port: make run MNEME_PORT={port + 1}"
            ) from error
        yield
