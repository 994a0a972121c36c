"""Facts about running processes, read from Linux's /proc."""

import ctypes
import os
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
PR_SET_PDEATHSIG = 1
RUN_VARIABLE = "MNEME_RUN"  # marks the children of one supervisor's run
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Process:
    """One process: a pid is reused, a pid with its start time (in ticks) is not."""

    pid: int
    started: int

    def alive(self) -> bool:
        """Return whether this very process still runs (a zombie does not)."""
        return find(self.pid) == self


def _stat(pid: int) -> list[str] | None:
    try:
        text = (PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    return text.rpartition(")")[2].split()  # the name before may hold anything


def find(pid: int) -> Process | None:
    """Return the running process with this pid, or None."""
    fields = _stat(pid)
    if fields is None or fields[0] in "ZX":
        return None
    return Process(pid, int(fields[19]))


def pids() -> list[int]:
    """Return the pids of all processes that can be seen."""
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]


def in_group(group: int) -> list[Process]:
    """Return the running members of a process group."""
    members = []
    for pid in pids():
        fields = _stat(pid)
        if fields and fields[0] not in "ZX" and int(fields[2]) == group:
            members.append(Process(pid, int(fields[19])))
    return members


def group_of(leader: Process, run: str) -> list[Process]:
    """Return what still runs of a child's group, also when the child itself is gone.

    The number of a group that is gone may name somebody else's by now, so members
    must be the child itself or carry the mark of its run.
    """
    return [
        member
        for member in in_group(leader.pid)
        if member == leader or environment(member.pid).get(RUN_VARIABLE) == run
    ]


def working_in(folder: Path, program: str) -> list[Process]:
    """Return the running processes of `program` whose working folder is `folder`."""
    found = []
    for pid in pids():
        try:
            here = (PROC / str(pid) / "cwd").readlink()
            runs = (PROC / str(pid) / "exe").readlink()
        except OSError:
            continue
        process = find(pid)
        if process and here == folder and runs.name.split(" ")[0] == program:
            found.append(process)
    return found


def environment(pid: int) -> dict[str, str]:
    """Return the environment a process was started with; empty if unreadable."""
    try:
        raw = (PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return {}
    pairs = (entry.partition("=") for entry in raw.decode(errors="replace").split("\0"))
    return {name: value for name, _, value in pairs}


def boot_id() -> str:
    """Return the identity of the running kernel: pids mean nothing across boots."""
    return (PROC / "sys/kernel/random/boot_id").read_text().strip()


def end_with_parent(number: signal.Signals, parent: int) -> None:
    """Ask the kernel to send `number` to this process when `parent` dies.

    Called in the child between fork and exec; a change of user undoes it.
    """
    _libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def send(processes: Iterable[Process], number: signal.Signals) -> None:
    """Signal each of these processes that still runs."""
    for process in processes:
        if process.alive():
            try:
                os.kill(process.pid, number)
            except ProcessLookupError:
                continue


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Return whether `condition` came true within so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.05)
    return True


def end(processes: list[Process], number: signal.Signals, patience: float) -> None:
    """Signal these processes and kill those that still run `patience` seconds later."""
    send(processes, number)
    send(processes, signal.SIGCONT)  # a suspended one takes no other signal
    if not wait_until(lambda: not any(p.alive() for p in processes), patience):
        send(processes, signal.SIGKILL)
        wait_until(lambda: not any(p.alive() for p in processes), 5)
