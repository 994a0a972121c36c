from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from memory_core.config import roles
from memory_core.management.output import add_json_option, show


class Command(BaseCommand):
    help = "Make the database roles, their grants and the row-level security policies."

    def add_arguments(self, parser: CommandParser) -> None:
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        names = roles.put_in_place(key=settings.DIGEST_KEY)
        show(self, {"roles": names}, as_json=options["json"])
