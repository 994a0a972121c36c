from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.actions import models
from memory_core.contracts.callers import Actor
from memory_core.contracts.spaces import ChangeView
from memory_core.embedding import EmbedderUnavailable
from memory_core.exceptions import MnemeError
from memory_core.management.output import add_json_option, show

BY = Actor("command:reembed")
VERBS = ("start", "pause", "resume", "cancel", "switch", "back", "drop", "status")


class Command(BaseCommand):
    help = "reembed start MODEL | pause | resume | cancel | switch | back | drop MODEL."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=VERBS)
        parser.add_argument("model", nargs="?", default="")
        parser.add_argument(
            "--hold", action="store_true", help="wait for `reembed switch` when full"
        )
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answer = self._done(options["verb"], options["model"], options["hold"])
        except (MnemeError, EmbedderUnavailable) as error:
            raise CommandError(str(error)) from error
        show(self, answer, as_json=options["json"])

    def _done(self, verb: str, model: str, hold: bool) -> dict[str, Any]:
        if verb == "status":
            return asdict(models.status())
        if verb in ("start", "drop") and not model:
            raise CommandError(f"reembed {verb} needs the name of a model")
        if verb == "drop":
            return {"dropped": models.drop(by=BY, model=model)}
        return asdict(self._changed(verb, model, hold))

    def _changed(self, verb: str, model: str, hold: bool) -> ChangeView:
        if verb == "start":
            return models.change(by=BY, model=model, switch=not hold)
        if verb == "back":
            return models.go_back(by=BY, switch=not hold)
        verbs = {
            "pause": models.pause,
            "resume": models.resume,
            "cancel": models.cancel,
            "switch": models.switch_over,
        }
        return verbs[verb](by=BY)
