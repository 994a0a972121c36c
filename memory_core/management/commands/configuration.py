from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from memory_core.config.env import VARIABLES

HEAD = """# Configuration

Every environment variable that Mneme reads. This page is made from
`memory_core/config/env.py` by `manage.py configuration --write`; a test compares both.

| variable | default | meaning |
|---|---|---|
"""


class Command(BaseCommand):
    help = "Print the page of all environment variables, or write it to docs/."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--write", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        text = page()
        if options["write"]:
            path = Path(settings.BASE_DIR) / "docs" / "configuration.md"
            path.write_text(text, encoding="utf-8")
        else:
            self.stdout.write(text, ending="")


def page() -> str:
    """Return docs/configuration.md."""
    rows = [
        f"| `{one.name}` | {f'`{one.default}`' if one.default else ''} | {one.help} |\n"
        for one in VARIABLES
    ]
    return HEAD + "".join(rows)
