"""Back-tests of half-lives, worked on in turns like every job."""

from memory_core import jobs
from memory_core.tuning import backtest

jobs.register(backtest.KIND, backtest.advance)
