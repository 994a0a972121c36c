from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.auditing.verify import verify
from memory_core.management.output import add_json_option, show


class Command(BaseCommand):
    help = "audit verify: check the hash chain and the anchor outside the database."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=["verify"])
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        report = verify()
        show(self, report.as_dict(), as_json=options["json"])
        if not report.intact:
            raise CommandError(f"the audit log does not hold: {report.problem}")
