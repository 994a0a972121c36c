"""Ranking profiles: fitted on a namespace's own feedback, taken and given back."""

from datetime import datetime

from django.utils import timezone

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.ranking import FitView
from memory_core.exceptions import NotFound, TransitionRefused
from memory_core.models import AuditEntry, Namespace, RankingProfile
from memory_core.recall.fitting import Fit, cases_of
from memory_core.recall.fitting import fit as fitted
from memory_core.recall.profiles import DEFAULT, RankingWeights

MOST_CASES = 1000
DEFAULT_NAME = "default"


def fit(*, by: Actor, namespace: str, apply: bool = False) -> FitView:
    """Return what weights fitted on the namespace's feedback gain on held-out recalls.

    With `apply` they are used if they win, under a name of their own; `back` undoes
    that. Raises NotFound.
    """
    space = _space(namespace, by)
    before = _weights(space)
    found = fitted(cases_of(space.pk, most=MOST_CASES), before)
    is_used = apply and found.wins
    if is_used:
        now = timezone.now()
        _take(space, _new(space, found, now=now), by=by, gain=round(found.gain, 4))
    return _view(space, found, before, is_used=is_used)


def use(*, by: Actor, namespace: str, profile: str) -> str:
    """Have a namespace ranked by a profile (`default` for none); return its name.

    Raises NotFound for a namespace or profile that does not exist.
    """
    space = _space(namespace, by)
    _take(space, _profile(profile), by=by)
    return profile


def back(*, by: Actor, namespace: str) -> str:
    """Have a namespace ranked as before the last change; return the profile's name.

    Raises NotFound, TransitionRefused when nothing was ever changed.
    """
    space = _space(namespace, by)
    rows = AuditEntry.objects.filter(action="ranking.use", namespace=namespace)
    last = rows.order_by("-pk").first()
    if last is None:
        raise TransitionRefused("The ranking of this namespace was never changed.")
    before: str = last.details["before"]
    _take(space, _profile(before), by=by)
    return before


def current(*, namespace: str, by: Actor) -> dict[str, object]:
    """Return the name and weights that rank a namespace; raises NotFound."""
    space = _space(namespace, by)
    return {"profile": _name(space.ranking_profile), **_weights(space).to_dict()}


def _space(name: str, by: Actor) -> Namespace:
    with isolation.transaction_for(by):
        rows = Namespace.objects.select_related("ranking_profile")
        space = rows.filter(name=name).first()
    if space is None:
        raise NotFound()
    return space


def _profile(name: str) -> RankingProfile | None:
    if name == DEFAULT_NAME:
        return None
    profile = RankingProfile.objects.filter(name=name).first()
    if profile is None:
        raise NotFound()
    return profile


def _weights(space: Namespace) -> RankingWeights:
    profile = space.ranking_profile
    return RankingWeights.from_dict(profile.values) if profile else DEFAULT


def _name(profile: RankingProfile | None) -> str:
    return profile.name if profile else DEFAULT_NAME


def _new(space: Namespace, found: Fit, *, now: datetime) -> RankingProfile:
    name = f"{space.name[:40]} {now:%Y-%m-%d %H:%M:%S}"
    return RankingProfile(name=name, values=found.weights.to_dict())


def _take(
    space: Namespace,
    profile: RankingProfile | None,
    *,
    by: Actor,
    gain: float | None = None,
) -> None:
    before = _name(space.ranking_profile)
    with isolation.transaction_for(by):
        if profile is not None and profile.pk is None:
            profile.save()
        space.ranking_profile = profile
        space.save(update_fields=["ranking_profile"])
        auditing.record(
            "ranking.use",
            by=by,
            namespace=space.name,
            before=before,
            after=_name(profile),
            gain=gain,
        )


def _view(
    space: Namespace, found: Fit, before: RankingWeights, *, is_used: bool
) -> FitView:
    old, new = before.to_dict(), found.weights.to_dict()
    return FitView(
        namespace=space.name,
        cases=found.cases,
        held_out=found.held_out,
        before=round(found.before, 4),
        after=round(found.after, 4),
        better=found.better,
        worse=found.worse,
        wins=found.wins,
        is_used=is_used,
        profile=_name(space.ranking_profile),
        changed={n: (old[n], new[n]) for n in old if old[n] != new[n]},
    )
