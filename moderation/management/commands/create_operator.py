from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.contracts.callers import Actor
from memory_core.exceptions import MnemeError
from memory_core.management.output import add_json_option, show
from moderation.actions import team
from moderation.roles import Role


class Command(BaseCommand):
    help = "Add a person to the console and print their password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--username", required=True)
        parser.add_argument("--role", required=True, choices=Role.values)
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user, password = team.add_operator(
                username=options["username"],
                role=options["role"],
                by=Actor("command:create_operator"),
            )
        except MnemeError as error:
            raise CommandError(error.detail) from error
        show(
            self,
            {
                "username": user.get_username(),
                "role": options["role"],
                "password": password,
            },
            as_json=options["json"],
        )
