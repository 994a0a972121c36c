"""Whether every field that can hold a person's data has somebody who erases it."""

from collections.abc import Iterable, Iterator

from django.contrib.postgres.fields import ArrayField
from django.db import models

from memory_core import erasers
from memory_core.models import Memory, Owner

WORDS = (models.CharField, models.TextField, models.JSONField, ArrayField)
SEALED = (models.BinaryField,)
POINTERS = ("owner_id", "memory_id")

STAFF = "of the operators' own staff, who are not the persons of memories"
NAMED_BY_OPERATORS = "a name that an operator gives to a part of the installation"
BY_WHOM = "names a member of the staff or a part of the service"
CODES = "holds codes, numbers and ids, no words of persons"
DIGEST = "a digest with a key outside the database, or random bytes"

OTHER_APPS = {
    "auth": STAFF,
    "account": STAFF,
    "mfa": STAFF,
    "sessions": STAFF,
    "contenttypes": "Django's own list of models",
}
OUTSIDE: dict[str, str] = {
    "memory_core.agent.name": NAMED_BY_OPERATORS,
    "memory_core.namespace.name": NAMED_BY_OPERATORS,
    "memory_core.namespace.second_review": CODES,
    "memory_core.firstapproval.*": BY_WHOM,
    "memory_core.rankingprofile.*": NAMED_BY_OPERATORS,
    "memory_core.embeddingmodel.*": NAMED_BY_OPERATORS,
    "memory_core.category.*": NAMED_BY_OPERATORS,
    "memory_core.categoryversion.*": BY_WHOM,
    "memory_core.token.*": CODES,
    "memory_core.auditentry.*": "append-only; keyed digests, codes and counts",
    "memory_core.auditseal.*": DIGEST,
    "memory_core.tombstone.*": "the digest that keeps the person from coming back",
    "memory_core.erasurerun.*": "sealed, and emptied when the person is erased",
    "memory_core.erasurepass.store": CODES,
    "memory_core.erasedmemory.memory_id": "says that the memory was erased",
    "memory_core.copy.*": CODES,
    "memory_core.source.blocked_by": BY_WHOM,
    "memory_core.source.block_reason": CODES,
    "memory_core.writerblock.*": BY_WHOM,
    "moderation.erasurecase.*": "codes and times; what is in clear is sealed",
    "moderation.caseidentifier.*": DIGEST,
    "moderation.caseevent.*": CODES,
    "moderation.casemention.*": CODES,
    "moderation.caserecipient.*": NAMED_BY_OPERATORS,
    "moderation.casenote.*": "sealed with the request's key, which is destroyed",
    "moderation.caseletter.*": "sealed with the request's key, which is destroyed",
    "moderation.certificate.*": "the proof: digests, codes and counts",
    "moderation.categorychange.*": BY_WHOM,
    "moderation.qualitysample.*": BY_WHOM,
    "moderation.secondlook.*": BY_WHOM,
    "moderation.policyversion.*": BY_WHOM,
    "moderation.batchitem.*": "ids and codes, deleted with their job",
}
"""Fields that no eraser answers for, each with the reason."""


def uncovered(models_: Iterable[type[models.Model]]) -> Iterator[str]:
    """Yield the fields (`app.model.field`) that could hold a person's data unerased."""
    known = {place for one in erasers.registered() for place in one.covers}
    known |= OUTSIDE.keys()
    for model in models_:
        if model._meta.app_label in OTHER_APPS:
            continue
        label = model._meta.label_lower
        for field in model._meta.concrete_fields:
            names = {f"{label}.*", f"{label}.{field.name}"}
            if may_be_personal(field) and not names & known:
                yield f"{label}.{field.name}"


def may_be_personal(field: "models.Field[object, object]") -> bool:
    """Return whether the field can hold words, or points to a person or memory."""
    target = field.remote_field.model if field.remote_field else None
    if target in (Owner, Memory) or field.attname in POINTERS:
        return True
    has_words = isinstance(field, WORDS) and not field.choices
    return has_words or isinstance(field, SEALED)
