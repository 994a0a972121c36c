"""Whom a run erases, sealed while it lasts: names are in no row and no backup."""

import json
from dataclasses import replace
from uuid import UUID

from memory_core.contracts.erasure import (
    Identifier,
    IdentifierKind,
    Subject,
    Treatment,
)
from memory_core.keys import data
from memory_core.models import ErasureRun


def seal(ref: str, subject: Subject) -> bytes:
    """Return the owner ids and identifiers, readable with the run's own key."""
    return data.seal(_name(ref), plain(replace(subject, mentions=None)))


def subject_of(run: ErasureRun) -> Subject:
    """Return whom an unfinished run erases, with what was decided on mentions."""
    found = parsed(data.unseal(_name(run.ref), bytes(run.subject)))
    mentions = {UUID(k): Treatment(v) for k, v in run.mentions.items()}
    return replace(found, rows=tuple(run.owners), mentions=mentions)


def destroy(ref: str) -> None:
    """Make the sealed names unreadable wherever a copy of the row lies."""
    data.destroy(_name(ref))


def seal_again(run: ErasureRun, subject: Subject) -> None:
    """Let a run whose key was destroyed be read once more; the caller saves it."""
    data.renew(_name(run.ref))
    run.subject = seal(run.ref, subject)
    run.mentions = {str(k): v.value for k, v in (subject.mentions or {}).items()}


def plain(subject: Subject) -> bytes:
    """Return the subject as bytes, without row ids."""
    value = {
        "owner_ids": subject.owner_ids,
        "identifiers": [[one.kind, one.value] for one in subject.identifiers],
        "mentions": {str(k): v for k, v in (subject.mentions or {}).items()},
    }
    return json.dumps(value).encode()


def parsed(plain: bytes) -> Subject:
    """Return the subject of such bytes."""
    value = json.loads(plain)
    mentions = value.get("mentions", {})
    return Subject(
        owner_ids=tuple(value["owner_ids"]),
        identifiers=tuple(
            Identifier(IdentifierKind(kind), name)
            for kind, name in value["identifiers"]
        ),
        mentions={UUID(k): Treatment(v) for k, v in mentions.items()},
    )


def _name(ref: str) -> str:
    return f"erasure:{ref}"
