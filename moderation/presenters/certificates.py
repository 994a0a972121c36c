"""A certificate as people read it: its state, then its content in sections."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.erasure.certificate import check
from memory_core.keys import signing
from moderation.models import Certificate, ErasureCase, Regime

Text = str | Promise

CHOICES: dict[str, dict[Any, Text]] = {
    "regime": dict(Regime.choices),
    "channel": dict(ErasureCase.Channel.choices),
    "requester": dict(ErasureCase.Requester.choices),
    "method": dict(ErasureCase.IdentityMethod.choices),
    "extension_reason": dict(ErasureCase.ExtensionReason.choices),
}
REQUEST: list[tuple[str, Text]] = [
    ("ref", _("Reference")),
    ("regime", _("Law")),
    ("channel", _("Received by")),
    ("received_on", _("Received on")),
    ("due_on", _("Answer due on")),
    ("extension_reason", _("Extended because")),
    ("told_on", _("Told of the extension on")),
    ("decided_at", _("Approved at")),
    ("fenced_at", _("Writes refused since")),
    ("live_erased_at", _("Erased from the running service")),
    ("index_purged_at", _("Purged from indexes")),
    ("backups_gone_at", _("Gone from backups")),
    ("backups_expected_on", _("Expected to be gone from backups")),
]
IDENTITY: list[tuple[str, Text]] = [
    ("requester", _("Asked by")),
    ("method", _("Identity settled by")),
    ("settled_on", _("Settled on")),
]
ISSUER: list[tuple[str, Text]] = [
    ("controller", _("Controller")),
    ("contact", _("Contact")),
    ("dpo", _("Data protection officer")),
    ("authority", _("Supervisory authority")),
]
PARTS: dict[str, Text] = {"prepared": _("prepared"), "approved": _("approved")}
LIMITS: dict[str, Text] = {
    "agent_context": _("Text that an agent holds in a running conversation"),
    "model_weights": _("What a language model was trained on"),
    "delivered_copies": _("Exports, answers and messages that were delivered before"),
}
STATES: dict[str, tuple[str, Text]] = {
    "changed": ("bad", _("The content is not the one that was signed.")),
    "forged": ("bad", _("The signature is not of this key.")),
    "malformed": ("bad", _("This is no certificate of ours.")),
    "other_key": (
        "warn",
        _("The signature holds, of a key that this installation no longer uses."),
    ),
    "replaced": (
        "warn",
        _("The signature holds. A newer certificate of the request replaces this one."),
    ),
    "copy": (
        "warn",
        _("The signature holds. The database was restored from a backup since then."),
    ),
    "": ("good", _("The signature holds. This is the request's latest certificate.")),
}


@dataclass(frozen=True, slots=True)
class View:
    """A certificate ready to be shown; `content` is its signed part.

    `empty` are the stores that were searched and had nothing.
    """

    content: Mapping[str, Any]
    integrity: Mapping[str, str]
    tone: str
    state: Text
    newer: Certificate | None
    issuer: Sequence[tuple[Text, Text]]
    request: Sequence[tuple[Text, Text]]
    identity: Sequence[tuple[Text, Text]]
    stores: Sequence[Mapping[str, Any]]
    empty: Sequence[str]
    approvals: Sequence[tuple[Text, str, str]]
    limits: Sequence[Text]


def view_of(made: Certificate) -> View:
    """Return the certificate with the result of checking it now."""
    content = made.document["certificate"]
    problem = check(made.document, key=signing.public_key()).problem
    if not problem and made.replaced_at:
        problem = "replaced"
    elif not problem and made.case_id is None:
        problem = "copy"
    tone, state = STATES[problem]
    return View(
        content=content,
        integrity=made.document["integrity"],
        tone=tone,
        state=state,
        newer=_newer(made),
        issuer=_rows(ISSUER, content["issuer"]),
        request=_rows(REQUEST, content["request"]),
        identity=_rows(IDENTITY, content["identity"]),
        stores=[one for one in content["stores"] if _had_something(one)],
        empty=[one["store"] for one in content["stores"] if not _had_something(one)],
        approvals=[
            (PARTS.get(one["part"], one["part"]), one["staff"], one["role"])
            for one in content["approvals"]
        ],
        limits=[LIMITS.get(code, code) for code in content["search"]["outside"]],
    )


def _had_something(store: Mapping[str, Any]) -> bool:
    return any(store[name] for name in ("matched", "erased", "redacted", "residue"))


def _newer(made: Certificate) -> Certificate | None:
    if not made.replaced_at:
        return None
    return Certificate.objects.filter(case=made.case_id, replaced_at=None).first()


def _rows(
    named: Sequence[tuple[str, Text]], values: Mapping[str, Any]
) -> list[tuple[Text, Text]]:
    return [
        (name, CHOICES.get(code, {}).get(values[code]) or moment(values[code]))
        for code, name in named
        if values.get(code)
    ]


def moment(text: str) -> str:
    """Return a date or moment of a certificate shorter, other text as it is."""
    try:
        if len(text) == len("2026-11-30"):
            return date.fromisoformat(text).isoformat()
        return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M} UTC"
    except ValueError:
        return text
