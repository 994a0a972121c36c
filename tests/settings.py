"""The service's settings on servers of the tests' own, never on a real installation."""

from tests.plugins import environment

environment.use_temporary_home()

from memory_core.config.settings import *  # noqa: E402, F403 - all of them, by design
