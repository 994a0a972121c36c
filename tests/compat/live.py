"""Run a command against a service of its own: `python -m tests.compat.live COMMAND`.

The command finds `MNEME_TEST_URL` and, in `MNEME_TEST_TOKENS`, a file with one token a
line, each of an agent that has saved nothing yet.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.api.stack import Stack

TOKENS = 250
ISSUE = f"""
from memory_core.actions import agents, tokens
from memory_core.contracts.callers import Actor
by = Actor("operator:test")
support = agents.share_namespace(name="support", by=by)
scopes = ["recall", "save", "delete", "export", "import", "source:user_input"]
for number in range({TOKENS}):
    agent = agents.register(name=f"client-{{number}}", by=by)
    agents.grant(agent=agent, namespace=support, read=True, write=True, by=by)
    print(tokens.issue(agent=agent, scopes=scopes, by=by)[0])
"""


def main(command: list[str]) -> int:
    """Return the exit status of the command."""
    os.environ["MNEME_DEMO"] = "0"
    with tempfile.TemporaryDirectory(prefix="mneme-live-") as folder:
        stack = Stack(Path(folder))
        try:
            tokens = Path(folder) / "tokens"
            issued = stack.manage("shell", "--no-imports", "-c", ISSUE)
            tokens.write_text(issued)
            environment = {
                **os.environ,
                "MNEME_TEST_URL": f"http://127.0.0.1:{stack.api.port}",
                "MNEME_TEST_TOKENS": str(tokens),
            }
            return subprocess.run(command, env=environment, check=False).returncode
        finally:
            stack.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
