"""What every view of the agent API shares."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, cast
from uuid import UUID

from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from api import throttling
from api.parsers import MEBIBYTE, accept_chunks
from api.renderers import AlwaysJSON
from memory_core import digests
from memory_core.contracts.callers import Caller
from memory_core.contracts.idempotency import IdempotencyKey
from memory_core.exceptions import InvalidInput, NotFound

LONGEST_KEY = 190
STREAMED = 0
"""As `body_limit`: the view reads its body itself, bit by bit."""


class ApiView(APIView):
    """One operation: translate in, call one action, translate out.

    `required_scope` is the token scope that it needs, `body_limit` its largest body in
    bytes. A view that `charges_namespaces` calls `charge` once it knows which ones, and
    pays for the token there too: one question to Valkey in place of two.
    """

    required_scope: ClassVar[str]
    body_limit: ClassVar[int] = MEBIBYTE
    charges_namespaces: ClassVar[bool] = False
    content_negotiation_class = AlwaysJSON
    throttle_classes: Sequence[type[BaseThrottle]] = (throttling.TokenLimit,)
    is_charged = False
    http_method_names: Sequence[str] = ("get", "head", "post", "put")

    @property
    def caller(self) -> Caller:
        """Return who calls; the permission has made sure that it is an agent."""
        return cast(Caller, self.request.user)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.body_limit != STREAMED:
            accept_chunks(request._request, limit=self.body_limit)

    def get_throttles(self) -> list[BaseThrottle]:
        return [] if self.charges_namespaces else super().get_throttles()

    def handle_exception(self, exc: Exception) -> Response:
        """Answer an error; a request that failed before it was charged is charged."""
        caller = getattr(self.request, "_user", None)
        late = self.charges_namespaces and not self.is_charged
        if late and isinstance(caller, Caller):
            try:
                throttling.charge([throttling.of_token(caller)])
            except Throttled as limited:
                exc = limited
        return super().handle_exception(exc)

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        finished: Response = super().finalize_response(
            request, response, *args, **kwargs
        )
        finished["Cache-Control"] = "no-store"
        return finished

    def charge(
        self, namespaces: Iterable[str] | None = None, *, items: int = 1
    ) -> None:
        """Charge the request to token and namespaces, by default all readable ones.

        A name that occurs n times pays n items. Raises Throttled.
        """
        known: Mapping[str, int] = {**self.caller.writable, **self.caller.readable}
        names = self.caller.readable if namespaces is None else namespaces
        costs = Counter(known[name] for name in names if name in known)
        self.is_charged = True
        throttling.charge_items(self.caller, costs, items=items)

    def once(self) -> IdempotencyKey | None:
        """Return the request's Idempotency-Key bound to its route and body, if sent."""
        key = self.request.headers.get("Idempotency-Key")
        if key is None:
            return None
        if not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
            raise InvalidInput("An Idempotency-Key has 1 to 190 printable characters.")
        body = json.dumps(self.request.data, sort_keys=True)
        digest = digests.keyed("body", f"{self.request.path}\n{body}")
        return IdempotencyKey(
            token_id=self.caller.token_id, key=key, body_digest=digest
        )


def id_of(sent: str) -> UUID:
    """Return the id in a path; what is none is not found, like an unknown one."""
    try:
        return UUID(sent)
    except ValueError:
        raise NotFound from None
