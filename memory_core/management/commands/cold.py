import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.actions import copies
from memory_core.contracts.callers import Actor
from memory_core.exceptions import MnemeError
from memory_core.management.output import add_json_option, show

BY = Actor("command:cold")


class Command(BaseCommand):
    help = (
        "cold copy [--all]: bring the cold copy up to date now; "
        "cold replay [--from FOLDER]: bring back what the database lacks; "
        "cold show --owner ID: print an owner's memories from it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=["copy", "replay", "show"])
        parser.add_argument("--all", action="store_true", help="write all once more")
        parser.add_argument("--from", dest="where", help="instead of MNEME_COLD")
        parser.add_argument("--owner", default="", help="whose memories to show")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answer = getattr(self, f"_{options['verb']}")(options)
        except MnemeError as error:
            raise CommandError(error.detail) from None
        if answer is not None:
            show(self, answer, as_json=options["json"])

    def _copy(self, options: dict[str, Any]) -> dict[str, int]:
        return {"copied": copies.carry_over(by=BY, everything=options["all"])}

    def _replay(self, options: dict[str, Any]) -> dict[str, int]:
        where = Path(options["where"]) if options["where"] else None
        return copies.replay(by=BY, where=where).to_dict()

    def _show(self, options: dict[str, Any]) -> None:
        if not options["owner"]:
            raise CommandError("show needs --owner")
        for line in copies.lines_of(owner_id=options["owner"], by=BY):
            sys.stdout.buffer.write(line)
