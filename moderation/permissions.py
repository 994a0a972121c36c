"""What each role may do at the console: one matrix, shown there as it is."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import TextChoices, prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from moderation.roles import Role


class Permission(TextChoices):
    """A right that pages and their buttons ask for."""

    SEE_OVERVIEW = "see_overview", _("see the overview")
    SEE_MEMORIES = "see_memories", _("read memories")
    DECIDE = "decide", _("decide on held memories")
    SETTLE = "settle", _("settle what two reviewers see differently")
    EDIT_MEMORIES = "edit_memories", _("edit, archive and delete memories")
    SEE_SOURCES = "see_sources", _("see sources")
    BLOCK_SOURCES = "block_sources", _("block sources")
    SET_TRUST = "set_trust", _("set a source's trust")
    SEE_CATEGORIES = "see_categories", _("see half-lives")
    TUNE_CATEGORIES = "tune_categories", _("change half-lives")
    SEE_AUDIT = "see_audit", _("read the audit log")
    EXPORT_AUDIT = "export_audit", _("export the audit log")
    SEE_AGENTS = "see_agents", _("see agents and tokens")
    MANAGE_AGENTS = "manage_agents", _("manage agents and tokens")
    SEE_HEALTH = "see_health", _("see health and jobs")
    MANAGE_JOBS = "manage_jobs", _("start and cancel jobs")
    MOVE_MEMORIES = "move_memories", _("move memories in and out")
    SEE_REQUESTS = "see_requests", _("see deletion requests")
    HANDLE_REQUESTS = "handle_requests", _("handle deletion requests")
    SEE_TEAM = "see_team", _("see the team and its policies")
    MANAGE_TEAM = "manage_team", _("manage the team and its policies")


P = Permission
_READING = {P.SEE_OVERVIEW, P.SEE_MEMORIES, P.SEE_SOURCES, P.SEE_CATEGORIES, P.SEE_TEAM}
_MODERATING = _READING | {P.DECIDE, P.EDIT_MEMORIES, P.BLOCK_SOURCES, P.SEE_HEALTH}

MATRIX: dict[Role, frozenset[Permission]] = {
    Role.MODERATOR: frozenset(_MODERATING),
    Role.LEAD: frozenset(_MODERATING | {P.SETTLE, P.SET_TRUST, P.SEE_AUDIT}),
    Role.OPERATOR: frozenset(
        _READING
        | {
            P.TUNE_CATEGORIES,
            P.SEE_AGENTS,
            P.MANAGE_AGENTS,
            P.SEE_HEALTH,
            P.MANAGE_JOBS,
            P.MOVE_MEMORIES,
        }
    ),
    Role.COMPLIANCE: frozenset(
        _READING | {P.SEE_AUDIT, P.SEE_REQUESTS, P.HANDLE_REQUESTS}
    ),
    Role.AUDITOR: frozenset(
        _READING
        | {P.SEE_AUDIT, P.EXPORT_AUDIT, P.SEE_AGENTS, P.SEE_HEALTH, P.SEE_REQUESTS}
    ),
    Role.ADMIN: frozenset(Permission),
}


def roles_of(user: AbstractBaseUser | AnonymousUser) -> list[Role]:
    """Return a person's roles, in the order of the matrix.

    The database is asked once for each object of a person: a request has one.
    """
    if not isinstance(user, User) or not user.is_active:
        return []
    prefetch_related_objects([user], "groups")
    names = {group.name for group in user.groups.all()}
    return [role for role in Role if role.value in names]


def permissions_of(user: AbstractBaseUser | AnonymousUser) -> frozenset[Permission]:
    """Return everything that a person may do."""
    return frozenset().union(*(MATRIX[role] for role in roles_of(user)))
