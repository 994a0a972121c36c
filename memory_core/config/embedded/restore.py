"""Restore mode: the web server refuses everybody while erasures are repeated.

Worker and scheduler wait: they would write snapshots of people who were erased.
"""

from collections.abc import Mapping

from memory_core.config.embedded import services
from memory_core.config.embedded.children import Child
from memory_core.config.embedded.console import say
from memory_core.config.embedded.home import Home


class Restore:
    """The repetition of the erasures, begun once; a person may do it again by hand."""

    def __init__(self, home: Home, environment: Mapping[str, str], run: str) -> None:
        self.home = home
        self.environment = environment
        self.child = Child(services.reapplier(home, environment), run)
        self._told = False

    def begin(self) -> None:
        """Start it and say why nobody is served."""
        say(
            "  Restore mode: the database is older than the erasure ledger. Nobody is"
            "\n  served until the erasures have been repeated and verified."
        )
        self.child.start()

    def is_over(self) -> bool:
        """Return whether the service is open again; say once if it failed."""
        if not services.is_closed(self.home):
            self.child.kill()
            say("The erasures are repeated and verified; the service is open.")
            return True
        reason = self.child.exit_reason()
        if reason and not self._told:
            self._told = True
            say(self.child.explain(f"Repeating the erasures {reason}"))
            say("Then let `manage.py restore --reapply` do it again.")
        return False
