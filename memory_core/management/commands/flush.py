from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from memory_core import valkey
from memory_core.management.output import add_json_option, show
from memory_core.recall import flushing


class Command(BaseCommand):
    help = "Write waiting touches, recall events and audit entries now."

    def add_arguments(self, parser: CommandParser) -> None:
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = flushing.flush()
        except (valkey.Unavailable, OperationalError) as error:
            raise CommandError(f"nothing more was written: {error}") from error
        counts = asdict(done)
        del counts["is_busy"]
        show(self, counts, as_json=options["json"])
