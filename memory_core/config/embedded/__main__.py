"""`python -m memory_core.config.embedded run|stop|status`."""

import argparse
import errno
import os
import signal
import sys

from django.core.exceptions import ImproperlyConfigured

from memory_core.config import env
from memory_core.config.embedded import processes
from memory_core.config.embedded.console import say
from memory_core.config.embedded.errors import CannotStart
from memory_core.config.embedded.home import Home, explain
from memory_core.config.embedded.leftovers import supervisor_of
from memory_core.config.embedded.supervisor import Supervisor

LONGEST_STOP_SECONDS = 180


def run(home: Home) -> None:
    """Run the service until it is asked to stop."""
    Supervisor(home, env.HOST.read(), env.PORT.read()).serve()


def stop(home: Home) -> None:
    """End the service that runs in this home, and return when it has ended."""
    supervisor = supervisor_of(home.read_record())
    if supervisor is None:
        say(f"Mneme is not running in {home.root}.")
        return
    try:
        os.kill(supervisor.pid, signal.SIGTERM)
    except PermissionError:
        raise CannotStart(
            "Mneme was started by another user; stop it as that one."
        ) from None
    if not processes.wait_until(lambda: not supervisor.alive(), LONGEST_STOP_SECONDS):
        raise CannotStart(f"Mneme (process {supervisor.pid}) is still stopping.")
    say("Mneme has stopped.")


def status(home: Home) -> None:
    """Say whether the service runs in this home, and with which processes."""
    record = home.read_record()
    supervisor = supervisor_of(record)
    if supervisor is None:
        say(f"Mneme is not running in {home.root}.")
        return
    say(f"Mneme is running in {home.root} (process {supervisor.pid}).")
    for name, (pid, started) in record["children"].items():
        alive = processes.Process(pid, started).alive()
        say(f"  {name:<14} {f'process {pid}' if alive else 'not running'}")


def main(arguments: list[str]) -> int:
    """Return the exit code: 0, or 1 after one sentence on what is wrong."""
    commands = {"run": run, "stop": stop, "status": status}
    parser = argparse.ArgumentParser(prog="mneme")
    parser.add_argument("command", choices=commands)
    command = commands[parser.parse_args(arguments).command]
    try:
        home = Home(env.HOME.read())
        command(home)
    except (CannotStart, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS}:
            raise
        sys.stderr.write(f"{explain(error, home.root)}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
