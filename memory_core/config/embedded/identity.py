"""Which system user the database servers run as.

PostgreSQL refuses to run as root, so root's servers run as the user `mneme`. When a
folder above the data or the programs is closed to that user, its servers keep one
capability, passing closed folders, instead of the folder being opened to everybody.
"""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memory_core.config.embedded.processes import end_with_parent

USER = "mneme"
PR_SET_SECUREBITS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 28, 47, 2
SECBIT_NO_SETUID_FIXUP = 4
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Identity:
    """A system user; `switch` says that a child has to become it first."""

    uid: int
    gid: int
    switch: bool

    def can_enter(self, folder: Path) -> bool:
        """Return whether this user may pass through `folder` and all above it."""
        return all(self._passes(part.stat()) for part in (folder, *folder.parents))

    def _passes(self, status: os.stat_result) -> bool:
        if status.st_uid == self.uid:
            return bool(status.st_mode & 0o100)
        if status.st_gid == self.gid:
            return bool(status.st_mode & 0o010)
        return bool(status.st_mode & 0o001)

    def has_name(self) -> bool:
        """Return whether the system knows this user by a name."""
        try:
            return bool(pwd.getpwuid(self.uid).pw_name)
        except KeyError:
            return False

    def own(self, folder: Path) -> None:
        """Give a folder that we made to this user."""
        if self.switch:
            os.chown(folder, self.uid, self.gid)


def current() -> Identity:
    """Return the user of this process."""
    return Identity(os.geteuid(), os.getegid(), switch=False)


def for_servers(data: Path) -> Identity:
    """Return who runs the servers: ourselves, or for root the owner of `data`.

    Data that does not exist yet goes to the user `mneme`, who is made on first use.
    """
    if os.geteuid() != 0:
        return current()
    if data.exists() and data.stat().st_uid != 0:
        status = data.stat()
        return Identity(status.st_uid, status.st_gid, switch=True)
    entry = _lookup(USER) or _create(USER) or pwd.getpwnam("nobody")
    return Identity(entry.pw_uid, entry.pw_gid, switch=True)


def _lookup(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _create(name: str) -> pwd.struct_passwd | None:
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if useradd:
        options = ["--system", "--user-group", "--no-create-home"]
        places = ["--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"]
        subprocess.run(
            [useradd, *options, *places, name], capture_output=True, check=False
        )
    return _lookup(name)


def entering(
    identity: Identity, folders: list[Path], death_signal: signal.Signals
) -> Callable[[], None]:
    """Return what a child runs before its program: become `identity`, die with us.

    The child keeps the capability to pass closed folders only if one of `folders`
    is closed to it.
    """
    parent = os.getpid()
    keep = identity.switch and not all(identity.can_enter(f) for f in folders)

    def prepare() -> None:
        if identity.switch:
            if keep:
                # Else setuid, and later each access(2), would take all capabilities.
                _libc.prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0)
            os.setgroups([])
            os.setgid(identity.gid)
            os.setuid(identity.uid)
            os.umask(0o077)
            if keep:
                _keep_capability(CAP_DAC_OVERRIDE)
        end_with_parent(death_signal, parent)

    return prepare


def _keep_capability(number: int) -> None:
    """Drop all capabilities but one, kept over the coming exec (capabilities(7))."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    bit = 1 << number
    sets = (ctypes.c_uint32 * 6)(bit, bit, bit, 0, 0, 0)
    _libc.capset(ctypes.byref(header), ctypes.byref(sets))
    _libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0)
