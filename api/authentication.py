"""Who calls: a bearer token in the Authorization header and nowhere else."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from api import throttling
from api.middleware import request_id_of
from memory_core.actions import access
from memory_core.contracts.callers import Caller

CHALLENGE = 'Bearer realm="mneme"'


class TokenAuthentication(BaseAuthentication):
    """Take the caller from the token; whatever is wrong with it, the answer is one."""

    schemes: tuple[str, ...] = ("bearer",)

    def authenticate(self, request: Request) -> tuple[Caller, str]:
        """Return the caller and the token's prefix; raise AuthenticationFailed."""
        address = request.META.get("REMOTE_ADDR", "")
        caller = access.authenticate(
            self.secret_of(request),
            address=address,
            request_id=request_id_of(request._request),
        )
        if caller is None:
            throttling.charge_failure(address)
            raise AuthenticationFailed
        return caller, caller.token_prefix

    def secret_of(self, request: Request) -> str:
        """Return the token as it was sent, empty if none was."""
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        return secret.strip() if scheme.lower() in self.schemes else ""

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge that makes the refusal a 401."""
        return CHALLENGE
