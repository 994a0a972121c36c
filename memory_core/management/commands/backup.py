from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memory_core.actions import backups
from memory_core.backups import BackupError
from memory_core.contracts.callers import Actor
from memory_core.management.output import add_json_option, show

BY = Actor("command:backup")


class Command(BaseCommand):
    help = "backup --to DIR: a dump of the database, while the service runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", required=True, help="folder for backups")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = backups.take(to=Path(options["to"]), by=BY, now=timezone.now())
        except BackupError as error:
            raise CommandError(str(error)) from error
        answer = {
            "backup": made.path,
            "bytes": made.bytes,
            "sha256": made.sha256,
            "deleted_after": made.expires_at.isoformat(),
        }
        show(self, answer, as_json=options["json"])
