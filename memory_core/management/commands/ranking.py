from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.actions import ranking
from memory_core.contracts.callers import Actor
from memory_core.exceptions import MnemeError
from memory_core.management.output import add_json_option, show

BY = Actor("command:ranking")
VERBS = ("fit", "use", "back", "show")


class Command(BaseCommand):
    help = "ranking fit --namespace NS [--apply] | use NAME | back | show."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=VERBS)
        parser.add_argument("profile", nargs="?", default="")
        parser.add_argument("--namespace", required=True)
        parser.add_argument(
            "--apply", action="store_true", help="use the fitted weights if they win"
        )
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        space = options["namespace"]
        try:
            answer = self._done(options["verb"], space, options)
        except MnemeError as error:
            raise CommandError(str(error)) from error
        show(self, answer, as_json=options["json"])

    def _done(self, verb: str, space: str, options: dict[str, Any]) -> dict[str, Any]:
        if verb == "fit":
            return asdict(ranking.fit(by=BY, namespace=space, apply=options["apply"]))
        if verb == "show":
            return ranking.current(by=BY, namespace=space)
        if verb == "back":
            return {"profile": ranking.back(by=BY, namespace=space)}
        if not options["profile"]:
            raise CommandError("ranking use needs the name of a profile, or default")
        name = ranking.use(by=BY, namespace=space, profile=options["profile"])
        return {"profile": name}
