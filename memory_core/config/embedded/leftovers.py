"""What an earlier run left behind when its supervisor was killed: ended, nothing else.

A process is ours if the record names its pid and start time, if it is in the group of
a recorded child and carries that run's mark, or if it is a database program working
in this installation's data folder.
"""

import signal
from typing import Any

from memory_core.config.embedded import processes
from memory_core.config.embedded.home import Home
from memory_core.config.embedded.processes import Process


def record(
    run: str, supervisor: Process, children: dict[str, Process]
) -> dict[str, Any]:
    """Return what the next start needs to know about this run."""
    return {
        "boot": processes.boot_id(),
        "run": run,
        "supervisor": [supervisor.pid, supervisor.started],
        "children": {name: [p.pid, p.started] for name, p in children.items()},
    }


def supervisor_of(entry: dict[str, Any]) -> Process | None:
    """Return the supervisor that wrote this record, if it still runs."""
    if entry.get("boot") != processes.boot_id():
        return None
    supervisor = Process(*entry["supervisor"])
    return supervisor if supervisor.alive() else None


def end_leftovers(home: Home) -> int:
    """End the processes of an earlier run in this home; returns how many there were."""
    programs = _recorded(home.read_record())
    valkey = processes.working_in(home.valkey, "valkey-server")
    postgres = processes.working_in(home.postgres, "postgres")
    programs = [p for p in programs if p not in {*valkey, *postgres}]
    processes.end(programs, signal.SIGTERM, patience=10)
    processes.end(valkey, signal.SIGTERM, patience=10)
    processes.end(postgres, signal.SIGINT, patience=30)
    return len(programs) + len(valkey) + len(postgres)


def _recorded(entry: dict[str, Any]) -> list[Process]:
    if entry.get("boot") != processes.boot_id():
        return []
    if supervisor_of(entry):
        return []  # a copy of a home that is in use: its processes are not ours
    found = []
    for pid, started in entry["children"].values():
        found += processes.group_of(Process(pid, started), entry["run"])
    return found
