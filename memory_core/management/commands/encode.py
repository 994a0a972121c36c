from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from memory_core.actions import encoding
from memory_core.contracts.callers import Actor
from memory_core.management.output import add_json_option, show

BY = Actor("command:encode")


class Command(BaseCommand):
    help = "encode again: have kept conversations read once more by today's encoder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=("again",))
        parser.add_argument("--days", type=float, default=7.0)
        parser.add_argument("--namespace", default="")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        count = encoding.again(
            by=BY,
            since=timezone.now() - timedelta(days=options["days"]),
            namespace=options["namespace"],
        )
        show(self, {"queued": count}, as_json=options["json"])
