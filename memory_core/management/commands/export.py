import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.actions import snapshots
from memory_core.contracts.callers import Actor
from memory_core.management.output import add_json_option, show

BY = Actor("command:export")


class Command(BaseCommand):
    help = "export [--to FILE]: write memories in the portable format."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", help="file to write; without it standard output")
        parser.add_argument("--owner", default="", help="only this owner's memories")
        parser.add_argument("--namespace", default="", help="only this namespace")
        parser.add_argument("--ascii", action="store_true", help="escape the rest")
        parser.add_argument("--embeddings", action="store_true", help="with vectors")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["json"] and not options["to"]:
            raise CommandError("--json needs --to: the lines go to standard output")
        made = snapshots.export(
            by=BY,
            owner_id=options["owner"],
            namespace=options["namespace"],
            ascii_only=options["ascii"],
            with_vectors=options["embeddings"],
        )
        if not options["to"]:
            for piece in made.pieces():
                sys.stdout.buffer.write(piece)
            return
        path = Path(options["to"])
        path.touch(mode=0o600)
        with path.open("wb") as file:
            file.writelines(made.pieces())
        counts = made.manifest["counts"]
        show(self, {"file": str(path), **counts}, as_json=options["json"])
