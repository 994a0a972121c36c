"""Requests to stop: Ctrl-C, SIGTERM and a closed terminal."""

import signal
from types import FrameType


class Stopped(BaseException):
    """Somebody asked to stop while a step was running."""


class StopSignals:
    """Counts the requests; the first one raises Stopped while `raising` is set."""

    def __init__(self) -> None:
        self.count = 0
        self.raising = True
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._handle)

    def impatient(self) -> bool:
        """Return whether somebody asked a second time."""
        return self.count > 1

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.raising:
            self.raising = False
            raise Stopped
