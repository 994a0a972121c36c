"""Domain errors: each has a stable code, an HTTP status and a sentence for people."""

from collections.abc import Mapping
from typing import Any, ClassVar


class MnemeError(Exception):
    """A refusal with a code; `extra` is added to the answer and never holds text.

    `why` tells refusals of one code apart for the console (moderation/presenters/
    refusals.py); no answer of the API has it.
    """

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 400
    title: ClassVar[str] = "The request was refused"

    def __init__(self, detail: str = "", *, why: str = "", **extra: Any) -> None:
        self.detail = detail or f"{self.title}."
        super().__init__(self.detail)
        self.why = why
        self.extra: Mapping[str, Any] = extra


class NotFound(MnemeError):
    code, status, title = "not_found", 404, "Nothing here under this id for this owner"


class NamespaceNotWritable(MnemeError):
    code, status = "namespace_not_writable", 403
    title = "This token may not write to that namespace"


class OwnerNotAllowed(MnemeError):
    code, status = "owner_not_allowed", 403
    title = "This token is bound to other owners"


class ScopeMissing(MnemeError):
    code, status = "scope_missing", 403
    title = "This token lacks the scope for that call"


class TokenRefused(MnemeError):
    code, status = "unauthenticated", 401
    title = "This token is revoked, expired or not valid from here"


class SourceBlocked(MnemeError):
    code, status = "source_blocked", 403
    title = "This source is blocked; nothing it sends is stored"


class TokenBlocked(MnemeError):
    code, status = "token_blocked", 409
    title = "The token is blocked; lift the block first, or revoke it"


class OwnerBeingErased(MnemeError):
    code, status = "owner_being_erased", 409
    title = "This owner's data is being erased; nothing is stored meanwhile"


class OwnerErased(MnemeError):
    code, status = "owner_erased", 410
    title = "This owner was erased; nothing is stored for them any more"


class OwnerRestricted(MnemeError):
    code, status = "owner_restricted", 409
    title = "This owner's data is restricted; nothing is stored or deleted meanwhile"


class TooManyOpenRequests(MnemeError):
    code, status = "too_many_open_requests", 409
    title = "This agent's requests to be forgotten wait for people; no more for now"


class ScreeningRefused(MnemeError):
    code, status = "screening_refused", 422
    title = "The text was refused by the write filter"


class VersionConflict(MnemeError):
    code, status = "version_conflict", 409
    title = "The memory changed since the version you named; read it again"


class DigestConflict(MnemeError):
    code, status = "digest_conflict", 409
    title = "The text is not the one that was reviewed; read it again"


class IdempotencyConflict(MnemeError):
    code, status = "idempotency_conflict", 409
    title = "This Idempotency-Key was used with another body"


class BeyondPolicy(MnemeError):
    code, status = "beyond_policy", 403
    title = "The namespace leaves this decision to people"


class TransitionRefused(MnemeError):
    code, status = "transition_refused", 409
    title = "The present state does not allow this"


class InvalidInput(MnemeError):
    code, status = "invalid", 422
    title = "The request has fields that cannot be accepted"


class LegalHoldInForce(MnemeError):
    code, status = "legal_hold", 423
    title = "A legal hold protects this; it cannot be deleted now"


class NoVectorSpace(MnemeError):
    code, status = "embedding_unavailable", 503
    title = "The embedding model is not available"


class ServiceUnavailable(MnemeError):
    code, status = "service_unavailable", 503
    title = "A part of the service is down; try again shortly"
