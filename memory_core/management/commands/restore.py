from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memory_core.actions import backups
from memory_core.backups import BackupError
from memory_core.config.embedded.errors import CannotStart
from memory_core.contracts.callers import Actor
from memory_core.ledger import LedgerBroken
from memory_core.management.output import add_json_option, show

BY = Actor("command:restore")


class Command(BaseCommand):
    help = """restore --from DIR [--drill] | --reapply | --check: bring a backup back.

    With the service stopped. Erasures since the backup are repeated and verified before
    anybody is served; --reapply goes on where that stopped. --drill rehearses all of it
    on servers of its own. --check closes the service if the database is an old one.
    """
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--from", dest="source", help="backup, or folder of backups")
        what.add_argument("--reapply", action="store_true", help="erase again")
        what.add_argument("--check", action="store_true", help="look at the ledger")
        parser.add_argument("--drill", action="store_true", help="rehearse elsewhere")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answer, problem = self._do(**options)
        except (BackupError, CannotStart, LedgerBroken) as error:
            raise CommandError(str(error)) from error
        if not problem:
            show(self, answer, as_json=options["json"])
            return
        raise CommandError(f"{problem}; nobody is served until it is solved")

    def _do(self, **options: Any) -> tuple[dict[str, Any], str]:
        now = timezone.now()
        if options["check"]:
            return {"closed": backups.close_if_behind(now=now)}, ""
        if options["drill"]:
            drill = backups.rehearse(source=Path(options["source"]), now=now)
            if not drill.ok:
                raise CommandError(f"the drill failed: {drill.problem}")
            return asdict(drill), ""
        with backups.servers():
            if options["source"]:
                backups.restore(source=Path(options["source"]), by=BY, now=now)
            done = backups.reapply(by=BY, now=timezone.now())
        return asdict(done), done.problem
