"""What commands print: lines for people, or one JSON document with `--json`."""

import json
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandParser


def add_json_option(parser: CommandParser) -> None:
    parser.add_argument(
        "--json", action="store_true", help="print one JSON document and nothing else"
    )


def show(command: BaseCommand, answer: Mapping[str, Any], *, as_json: bool) -> None:
    """Print `answer` as JSON, or as `name: value` lines."""
    if as_json:
        command.stdout.write(json.dumps(answer, ensure_ascii=False, default=str))
        return
    for name, value in answer.items():
        text = ", ".join(map(str, value)) if isinstance(value, list) else value
        command.stdout.write(f"{name}: {text}")
