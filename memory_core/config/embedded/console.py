"""What the supervisor tells the person who started it."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


def say(text: str) -> None:
    """Print a line at once; a closed terminal is no reason to fail."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError:
        return


@contextmanager
def step(name: str, done: str = "ready") -> Iterator[None]:
    """Say that a step is done and how long it took, if it took no exception."""
    begun = time.monotonic()
    yield
    say(f"  {name:<14} {done} ({time.monotonic() - begun:.1f} s)")


def welcome(address: str, credentials: str) -> str:
    """Return where to go, how to log in and how to stop."""
    return f"""
Mneme is running.

  API       {address}/v1/
  Console   {address}/
  Log in    with the credentials in {credentials}
  Stop      Ctrl-C here, or `make stop` in another terminal
"""
