from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memory_core.actions import backups
from moderation import bootstrap


class Command(BaseCommand):
    help = """Prepare an installation: roles, models, on first start a way to log in.

    Closes it when the database is older than the erasure ledger.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        bootstrap.prepare()
        backups.close_if_behind(now=timezone.now())
