"""The side navigation: what there is, and who may open it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from moderation.permissions import Permission as P


@dataclass(frozen=True, slots=True)
class Entry:
    """One link; `page` is the URL's name, `key` the second key after `g`."""

    page: str
    name: str | Promise
    permission: P
    key: str


@dataclass(frozen=True, slots=True)
class Group:
    name: str | Promise
    entries: tuple[Entry, ...]


GROUPS = (
    Group(
        "",
        (
            Entry("overview", _("Overview"), P.SEE_OVERVIEW, "o"),
            Entry("queue", _("Review"), P.DECIDE, "q"),
            Entry("memories", _("Memories"), P.SEE_MEMORIES, "m"),
            Entry("sources", _("Sources"), P.SEE_SOURCES, "s"),
        ),
    ),
    Group(
        _("Operation"),
        (
            Entry("categories", _("Half-lives"), P.SEE_CATEGORIES, "l"),
            Entry("health", _("Health"), P.SEE_HEALTH, "h"),
            Entry("jobs", _("Jobs"), P.SEE_HEALTH, "j"),
            Entry("consolidation", _("Consolidation"), P.SEE_HEALTH, "c"),
            Entry("models", _("Embedding models"), P.SEE_HEALTH, "e"),
            Entry("copies", _("Copies"), P.SEE_HEALTH, "b"),
            Entry("moving", _("Moving in and out"), P.MOVE_MEMORIES, "v"),
            Entry("agents", _("Agents and tokens"), P.SEE_AGENTS, "t"),
        ),
    ),
    Group(
        _("Accountability"),
        (
            Entry("requests", _("Deletion requests"), P.SEE_REQUESTS, "r"),
            Entry("audit", _("Audit log"), P.SEE_AUDIT, "u"),
            Entry("team", _("Team and policies"), P.SEE_TEAM, "w"),
        ),
    ),
)


def visible(rights: Iterable[P], path: str) -> list[dict[str, Any]]:
    """Return the groups with the entries that these rights open, the present marked."""
    groups: list[dict[str, Any]] = []
    for group in GROUPS:
        entries = [
            {
                "name": entry.name,
                "url": url,
                "key": entry.key,
                "is_here": _here(url, path),
            }
            for entry in group.entries
            if entry.permission in rights and (url := _url(entry.page))
        ]
        if entries:
            groups.append({"name": group.name, "entries": entries})
    return groups


def matching(rights: Iterable[P], text: str) -> list[dict[str, Any]]:
    """Return the entries that these rights open and whose name has the text.

    `is_exact` if it is the whole name. An empty text fits all.
    """
    wanted = text.casefold()
    return [
        {**entry, "kind": group["name"], "is_exact": wanted == name}
        for group in visible(rights, "")
        for entry in group["entries"]
        if wanted in (name := str(entry["name"]).casefold())
    ]


def _url(page: str) -> str:
    try:
        return reverse(page)
    except NoReverseMatch:
        return ""


def _here(url: str, path: str) -> bool:
    return path == url if url == "/" else path.startswith(url)
