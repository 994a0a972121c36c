"""People who may use the console."""

import secrets

from django.contrib.auth.models import Group, User

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.exceptions import InvalidInput
from moderation.roles import Role

PASSWORD_BYTES = 15  # 20 characters of URL-safe text


def add_operator(*, username: str, role: str, by: Actor) -> tuple[User, str]:
    """Return the new person and their password, which is shown this once.

    Raises InvalidInput for a role that does not exist or a name that is taken.
    """
    if role not in Role.values:
        raise InvalidInput(f"Roles are {', '.join(Role.values)}.")
    if User.objects.filter(username=username).exists():
        raise InvalidInput(
            "This user name is taken.", field="username", why="username_taken"
        )
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    with isolation.transaction_for(by):
        user = User.objects.create_user(username, password=password)
        group, _ = Group.objects.get_or_create(name=role)
        user.groups.add(group)
        auditing.record("operator.add", by=by, username=username, role=role)
    return user, password
