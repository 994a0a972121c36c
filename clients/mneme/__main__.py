"""The command line: `python -m mneme mcp`, `... move` and `... export`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from mneme import fetching
from mneme.errors import MnemeError
from mneme.move import command
from mneme.opening import open


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    parser = argparse.ArgumentParser(prog="mneme")
    commands = parser.add_subparsers(dest="command", required=True)
    _add_mcp(commands.add_parser("mcp", help="serve the memory over MCP"))
    command.add_arguments(commands.add_parser("move", help="bring in a dump"))
    fetching.add_arguments(commands.add_parser("export", help="take everything out"))
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except (MnemeError, ValueError, OSError) as error:
        sys.stderr.write(f"mneme {options.command}: {error}\n")
        return 1


def _add_mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", required=True, help="URL of the store")
    parser.add_argument("--owner", required=True, help="whose memories these are")
    parser.add_argument("--http", metavar="HOST:PORT", help="instead of stdio")
    parser.add_argument("--no-graph", action="store_true", help="memory tools only")
    parser.set_defaults(run=_run_mcp)


def _run_mcp(options: argparse.Namespace) -> int:
    try:
        from mneme.mcp.server import make_server
        from mneme.mcp.serving import serve_http
    except ImportError as error:
        raise ValueError(f"install mneme-client[mcp] first ({error})") from error
    with open(options.store) as store:
        server = make_server(store, options.owner, graph=not options.no_graph)
        if options.http is None:
            server.run("stdio")
        else:
            host, _, port = options.http.rpartition(":")
            key = os.environ.get("MNEME_MCP_KEY", "")
            serve_http(server, host.strip("[]") or "127.0.0.1", int(port), key)
    return 0


if __name__ == "__main__":
    sys.exit(main())
