"""When a child that died is started again, and when there is no use in it."""

import time
from dataclasses import dataclass

from memory_core.config.embedded.children import Child
from memory_core.config.embedded.console import say
from memory_core.config.embedded.errors import CannotStart

QUICK_SECONDS = 10  # a child that lived shorter died in starting
QUICK_DEATHS = 5  # in a row: restarting once more will not help
LONGEST_PAUSE = 30.0  # seconds between a death and the restart


@dataclass
class Watched:
    """A child with its recent deaths; `check` is called several times a second."""

    child: Child
    quick_deaths: int = 0
    restart_at: float | None = None
    returning: bool = False

    def check(self) -> bool:
        """Say and heal what happened; returns whether the child was started again.

        CannotStart if it keeps dying.
        """
        self._repeat_troubles()
        if self.restart_at is not None:
            return time.monotonic() >= self.restart_at and self._restart()
        if reason := self.child.exit_reason():
            self.child.kill()
            self._plan_restart(f"{self.child.service.name} {reason}")
        elif self.returning and self.child.ready():
            self.returning = False
            say(f"{self.child.service.name} runs again.")
        return False

    def _repeat_troubles(self) -> None:
        if pattern := self.child.service.trouble:
            for line in self.child.log.news():
                if found := pattern.search(line):
                    say(f"{self.child.service.name}: {found[0]}; it is replaced.")

    def _plan_restart(self, what: str) -> None:
        now = time.monotonic()
        quick = now - self.child.started_at < QUICK_SECONDS
        self.quick_deaths = self.quick_deaths + 1 if quick else 0
        if self.quick_deaths >= QUICK_DEATHS:
            times = f"{what} for the {QUICK_DEATHS}th time in a row"
            raise CannotStart(self.child.explain(times))
        pause = min(2.0 ** max(self.quick_deaths - 1, 0), LONGEST_PAUSE)
        self.restart_at = now + pause
        say(f"{what}; restarting it in {pause:.0f} s.")

    def _restart(self) -> bool:
        self.restart_at, self.returning = None, True
        try:
            self.child.start()
        except CannotStart as error:
            self._plan_restart(str(error).rstrip("."))
            return False
        return True
