"""What a token may do: the scope that a view asks for."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from memory_core.contracts.callers import Caller
from memory_core.exceptions import ScopeMissing


class HasScope(BasePermission):
    """Let the request through if the token has the view's `required_scope`.

    The empty scope asks for a valid token only. A view without the attribute is a
    mistake of ours and fails loudly.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True, or raise ScopeMissing (403)."""
        required: str = view.required_scope
        caller = request.user
        if isinstance(caller, Caller) and (not required or required in caller.scopes):
            return True
        raise ScopeMissing(scope=required)
