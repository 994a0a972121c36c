from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.actions import agents, tokens
from memory_core.contracts.callers import Actor
from memory_core.exceptions import MnemeError
from memory_core.management.output import add_json_option, show

BY = Actor("command:issue_token")


class Command(BaseCommand):
    help = "Print a new token; makes the agent and shared namespaces it needs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--agent", required=True)
        parser.add_argument("--namespace", help="where it writes by default")
        parser.add_argument(
            "--grant",
            action="append",
            default=[],
            metavar="NAMESPACE:rw",
            help="another namespace with r, w or rw; may be given again",
        )
        parser.add_argument("--scopes", required=True, help="separated by commas")
        parser.add_argument("--owner-claim", default="")
        parser.add_argument("--rate", type=int, default=tokens.DEFAULT_RATE)
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answer = self._issue(options)
        except MnemeError as error:
            raise CommandError(error.detail) from error
        show(self, answer, as_json=options["json"])

    def _issue(self, options: dict[str, Any]) -> dict[str, Any]:
        wanted = [_grant(text) for text in options["grant"]]
        if options["namespace"]:
            wanted.append((options["namespace"], "rw"))
        if options["rate"] < 1:
            raise CommandError("--rate is at least 1 request a second")
        agent = agents.register(name=options["agent"], by=BY)
        for name, rights in wanted:
            agents.grant(
                agent=agent,
                namespace=agents.share_namespace(name=name, by=BY),
                read="r" in rights,
                write="w" in rights,
                by=BY,
            )
        home = None
        if options["namespace"]:
            home = agents.share_namespace(name=options["namespace"], by=BY)
        secret, token = tokens.issue(
            agent=agent,
            namespace=home,
            scopes=[part.strip() for part in options["scopes"].split(",")],
            owner_claim=options["owner_claim"],
            rate=options["rate"],
            by=BY,
        )
        return {
            "token": secret,
            "agent": agent.name,
            "namespace": home.name if home else agent.namespace.name,
            "scopes": token.scopes,
        }


def _grant(text: str) -> tuple[str, str]:
    name, colon, rights = text.rpartition(":")
    if not colon or not name or rights not in {"r", "w", "rw"}:
        raise CommandError(f"--grant {text!r}: write NAMESPACE:r, :w or :rw")
    return name, rights
