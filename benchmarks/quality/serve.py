"""Run the whole service with the quality benchmark's web application."""

import sys

from memory_core.config.embedded import __main__ as command
from memory_core.config.embedded import services

services.APPLICATION = "benchmarks.quality.wsgi:application"

if __name__ == "__main__":
    sys.exit(command.main(["run"]))
