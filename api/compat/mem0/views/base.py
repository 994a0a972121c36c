"""What every view under /compat/mem0/ shares."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import TokenAuthentication
from api.views.base import ApiView
from memory_core.exceptions import MnemeError, ScopeMissing

PLAIN_JSON = "application/json"


class NotOffered(MnemeError):
    """A path or an option of mem0's that has no counterpart here."""

    code, status, title = "not_offered", 501, "This part of mem0 is not offered here"


class KeyAuthentication(TokenAuthentication):
    """Take the token from any of the headers that mem0's clients send."""

    schemes = ("token", "bearer")

    def secret_of(self, request: Request) -> str:
        """Return the token as it was sent, empty if none was."""
        return super().secret_of(request) or request.headers.get("X-API-Key", "")


class Mem0View(ApiView):
    """A view that speaks mem0's language; no part of our own OpenAPI document.

    `scopes` names the scope that each method needs.
    """

    authentication_classes = (KeyAuthentication,)
    http_method_names = ("get", "head", "post", "put", "delete")
    required_scope = ""
    scopes: ClassVar[dict[str, str]] = {}
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        method = str(request.method).lower()
        self.require(self.scopes.get("get" if method == "head" else method, ""))

    def require(self, scope: str) -> None:
        """Raise ScopeMissing unless the token has the scope."""
        if scope and scope not in self.caller.scopes:
            raise ScopeMissing(scope=scope)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer an error as the JSON in which mem0's client looks for `detail`."""
        response = super().handle_exception(exc)
        response.content_type = PLAIN_JSON
        return response
