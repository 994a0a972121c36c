"""The service's settings with an empty view, stage times in answers, seeded vectors."""

from benchmarks.speed.corpus import SeededEmbedder
from memory_core.config.settings import *  # noqa: F403 - all of them, by design
from memory_core.config.settings import MIDDLEWARE
from memory_core.embedding import registry

registry.BUNDLED[SeededEmbedder.name] = SeededEmbedder

ROOT_URLCONF = "benchmarks.speed.web"
MIDDLEWARE = ["benchmarks.speed.web.server_timing", *MIDDLEWARE]
