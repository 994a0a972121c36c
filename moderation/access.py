"""The only door to a page: signed in, and with the right that it asks for."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

from memory_core.contracts.callers import OPERATOR, Actor
from moderation.activity import is_unattended
from moderation.permissions import Permission, permissions_of

Parameters = ParamSpec("Parameters")


class ConsoleRequest(HttpRequest):
    """A request that has passed `needs`: its person, rights and actor are known."""

    user: User
    htmx: HtmxDetails
    rights: frozenset[Permission]
    actor: Actor
    request_id: str


View = Callable[Concatenate[ConsoleRequest, Parameters], HttpResponseBase]


def needs(
    permission: Permission, *, to_post: Permission | None = None
) -> Callable[[View[Parameters]], Callable[..., HttpResponseBase]]:
    """Return a decorator that lets in who has `permission` (and `to_post` to post).

    Strangers go to the sign-in page; a person without the right gets 403.
    """

    def decorate(view: View[Parameters]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if not request.user.is_authenticated:
                if is_unattended(request):  # no form to sign in amid a page
                    return HttpResponse(status=401)
                return redirect_to_login(request.get_full_path())
            rights = permissions_of(request.user)
            wanted = to_post if to_post and request.method == "POST" else permission
            if wanted not in rights:
                raise PermissionDenied
            _refuse_nul(request)
            known = cast(ConsoleRequest, request)
            known.rights = rights
            known.actor = actor_of(request)
            response = view(known, *args, **kwargs)
            response["Cache-Control"] = "no-store"
            patch_vary_headers(response, ["HX-Request"])
            return response

        guarded.permission = permission  # type: ignore[attr-defined]
        return guarded

    return decorate


def _refuse_nul(request: HttpRequest) -> None:
    """Answer 400 to a parameter that PostgreSQL cannot take; nobody types one."""
    for sent in (request.GET, request.POST):
        if any("\x00" in value for _, values in sent.lists() for value in values):
            raise BadRequest


def actor_of(request: HttpRequest) -> Actor:
    """Return the person as actions and the audit log know them."""
    return Actor(
        f"{OPERATOR}{request.user.get_username()}",
        request_id=getattr(request, "request_id", ""),
    )


def wants_fragment(request: ConsoleRequest) -> bool:
    """Return whether htmx asks for a part of the page (not boosted, not a restore)."""
    htmx = request.htmx
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request
