"""What an installation needs before it serves; on first start a way to log in."""

import json
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from memory_core.actions import agents, copies, models, tokens
from memory_core.config import roles
from memory_core.contracts.callers import Actor
from memory_core.saving.vectors import ensure_model
from moderation.actions import team
from moderation.demo import load as load_demo
from moderation.roles import Role

BY = Actor("command:bootstrap")
FIRST_AGENT = "demo"
FIRST_SCOPES = (
    "recall",
    "save",
    "delete",
    "consolidate",
    "export",
    "import",
    "source:user_input",
)


def prepare() -> None:
    """Put roles and the embedding model in place; the rest on first start only."""
    roles.put_in_place(key=settings.DIGEST_KEY)
    ensure_model()
    models.follow_setting()
    models.check_thresholds()
    models.follow_language_model()
    if User.objects.exists():
        _renew_address()
        return
    if settings.DEMO and not copies.is_there():  # its replay brings all back
        load_demo.into_database(by=BY)
    _write_credentials(*_first_logins())


def _first_logins() -> tuple[str, str, str]:
    agent = agents.register(name=FIRST_AGENT, by=BY)
    secret, _ = tokens.issue(agent=agent, scopes=FIRST_SCOPES, by=BY)
    user, password = team.add_operator(username="admin", role=Role.ADMIN, by=BY)
    return user.get_username(), password, secret


def _write_credentials(username: str, password: str, secret: str) -> None:
    _write(
        {
            "base_url": settings.BASE_URL,
            "operator": {"username": username, "password": password},
            "agents": {FIRST_AGENT: secret},
        }
    )


def _renew_address() -> None:
    """Tell the present port, if somebody has kept the file as it was written."""
    try:
        document = json.loads(_credentials().read_text("utf-8"))
        is_old = document["base_url"] != settings.BASE_URL
    except (OSError, ValueError, KeyError, TypeError):
        return
    if is_old:
        _write(document | {"base_url": settings.BASE_URL})


def _write(document: dict[str, Any]) -> None:
    """Write the one file that holds secrets in clear, for the owner's eyes only."""
    descriptor = os.open(_credentials(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=2)
        file.write("\n")


def _credentials() -> Path:
    return Path(settings.HOME) / "credentials.json"
