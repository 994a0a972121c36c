from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.actions import tombstones
from memory_core.contracts.callers import Actor
from memory_core.management.output import add_json_option, show

BY = Actor("command:tombstones")


class Command(BaseCommand):
    help = (
        "tombstones keys|rotate|retire: the keys that erased identifiers stand under."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=["keys", "rotate", "retire"])
        parser.add_argument("--key", default="", help="id of the key to retire")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["verb"] == "rotate":
                tombstones.rotate(by=BY)
            elif options["verb"] == "retire":
                tombstones.retire(kid=options["key"], by=BY)
        except ValueError as error:
            raise CommandError(str(error)) from error
        show(self, tombstones.use_of_keys(), as_json=options["json"])
