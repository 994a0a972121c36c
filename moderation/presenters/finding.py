"""One thing by its name or number: what a person may jump to from anywhere."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.models import Agent, Job, Memory, Source
from moderation.models import ErasureCase
from moderation.permissions import Permission as P

SHOWN = 5
"""So many of each kind."""
ALL_DIGITS = 32
ID = re.compile(r"[0-9a-f]{8,32}")
"""An id, or so much of its beginning that it says something."""
NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Hit:
    """A link: what it is called, of which kind it is, and if it was named exactly."""

    name: str | Promise
    kind: str | Promise
    url: str
    is_exact: bool = False


def things(text: str, rights: Collection[P]) -> list[Hit]:
    """Return memories, jobs, requests, sources and agents that are called so.

    Memories and jobs are found by the first digits of their ids (never by words),
    requests by reference, sources and agents by number or a part of the name; each only
    for a person with the right to see it.
    """
    found: list[Hit] = []
    if P.SEE_MEMORIES in rights:
        found += _memories(text)
    if P.SEE_HEALTH in rights:
        found += _jobs(text)
    if P.SEE_REQUESTS in rights:
        found += _requests(text)
    if P.SEE_SOURCES in rights:
        found += _sources(text)
    if P.SEE_AGENTS in rights:
        found += _agents(text)
    return found


def _memories(text: str) -> Iterator[Hit]:
    rows = Memory.unscoped.all()
    for pk, is_exact in _by_id(rows, text):
        yield Hit(str(pk), _("memory"), reverse("memory", args=[pk]), is_exact)


def _jobs(text: str) -> Iterator[Hit]:
    for pk, is_exact in _by_id(Job.objects.all(), text):
        yield Hit(str(pk), _("job"), reverse("job", args=[pk]), is_exact)


def _requests(text: str) -> Iterator[Hit]:
    rows = ErasureCase.objects.filter(ref__istartswith=text).order_by("ref")
    for ref in rows.values_list("ref", flat=True)[:SHOWN]:
        is_exact = ref.casefold() == text.casefold()
        yield Hit(ref, _("deletion request"), reverse("request", args=[ref]), is_exact)


def _sources(text: str) -> Iterator[Hit]:
    rows = Source.objects.select_related("namespace").order_by("pk")
    for row in rows.filter(_called(text))[:SHOWN]:
        name = " · ".join(filter(None, (row.get_kind_display(), row.name)))
        kind = _("source in %(namespace)s") % {"namespace": row.namespace.name}
        is_exact = text in (row.name, str(row.pk))
        yield Hit(name, kind, reverse("source", args=[row.pk]), is_exact)


def _agents(text: str) -> Iterator[Hit]:
    for row in Agent.objects.filter(_called(text)).order_by("name")[:SHOWN]:
        is_exact = text in (row.name, str(row.pk))
        yield Hit(row.name, _("agent"), reverse("agent", args=[row.pk]), is_exact)


def _by_id(rows: QuerySet[Any], text: str) -> Iterator[tuple[UUID, bool]]:
    """Return ids that begin with the digits of `text`, and if that is all of one."""
    digits = text.replace("-", "").lower()
    if ID.fullmatch(digits):
        span = UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))
        ids = rows.filter(pk__range=span).order_by("pk").values_list("pk", flat=True)
        for pk in ids[:SHOWN]:
            yield pk, len(digits) == ALL_DIGITS


def _called(text: str) -> Q:
    """Return what fits rows with this in their name or with this number."""
    number = Q(pk=int(text)) if NUMBER.fullmatch(text) else Q()
    return Q(name__icontains=text) | number
