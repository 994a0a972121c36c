"""Certificates of erasure for anybody who has the address: page, document, key."""

from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from memory_core.keys import signing
from moderation.actions.certificates import found
from moderation.models import Certificate
from moderation.presenters.certificates import view_of


@require_safe
def certificate(request: HttpRequest, certificate_id: UUID) -> HttpResponse:
    """Show a certificate with its state; as JSON for who prefers that."""
    if request.get_preferred_type(["text/html", "application/json"]) == (
        "application/json"
    ):
        response: HttpResponse = document(request, certificate_id)
    else:
        with translation.override(_language(request)):
            context = {"certificate": view_of(_found(certificate_id))}
            response = render(request, "certificate/page.html", context)
    patch_vary_headers(response, ["Accept", "Accept-Language", "Cookie"])
    return response


@require_safe
def document(request: HttpRequest, certificate_id: UUID) -> JsonResponse:
    """Answer the signed document as it was issued."""
    options = {"ensure_ascii": False, "indent": 1}
    return JsonResponse(_found(certificate_id).document, json_dumps_params=options)


@require_safe
def key(request: HttpRequest) -> JsonResponse:
    """Answer the public key that certificates are checked with."""
    public = signing.public_key()
    return JsonResponse(
        {
            "algorithm": "Ed25519",
            "public_key": public.hex(),
            "pem": signing.public_key_pem(),
            "fingerprint": signing.fingerprint(public),
        }
    )


def _found(certificate_id: UUID) -> Certificate:
    if (made := found(certificate_id)) is None:
        raise Http404
    return made


def _language(request: HttpRequest) -> str:
    """Return the language of the address, so that a link can name one, or our usual."""
    asked = request.GET.get("lang", "")
    known = dict(settings.LANGUAGES)
    return asked if asked in known else translation.get_language() or "en"
