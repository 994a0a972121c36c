from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.actions import snapshots
from memory_core.contracts.callers import Actor
from memory_core.management.output import add_json_option, show
from memory_core.screening.parallel import in_parallel

BY = Actor("command:import")


class Command(BaseCommand):
    help = "import FILE: take memories in the portable format, line by line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--namespace", default="", help="where every line goes")
        parser.add_argument("--age", choices=["touch", "keep"], default="touch")
        parser.add_argument("--dry-run", action="store_true", help="only tell")
        parser.add_argument(
            "--resume", action="store_true", help="go on after an interruption"
        )
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["file"])
        if not path.is_file():
            raise CommandError(f"there is no file {path}")
        with in_parallel():
            report = snapshots.take_in_file(
                by=BY,
                file=path,
                namespace=options["namespace"],
                dry_run=options["dry_run"],
                age=options["age"],
                resume=options["resume"],
            )
        answer = report.to_dict()
        if not options["json"]:
            answer["quarantined"] = [
                f"line {fault.line}: {fault.code} {fault.field} ({fault.message})"
                for fault in report.quarantined
            ]
        show(self, answer, as_json=options["json"])
