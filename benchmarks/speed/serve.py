"""Run the whole service, with the benchmark's own web application.

Started by `service.running`; the supervisor, its servers, its worker and its scheduler
are the real ones.
"""

import sys

from memory_core.config.embedded import __main__ as command
from memory_core.config.embedded import services

services.APPLICATION = "benchmarks.speed.wsgi:application"

if __name__ == "__main__":
    sys.exit(command.main(["run"]))
