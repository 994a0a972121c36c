"""Secrets taken out of what is about to be stored, where the policy is to redact.

Names by which rows are found again (external id, session, source) are left as they
are: two different ones must not become the same. A secret in them is refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from memory_core.contracts.memories import Draft
from memory_core.screening import redact_secrets

TEXTS = ("content", "subject", "entities", "tags", "metadata")
LONGEST = {"subject": 200, "entities": 200, "tags": 100}
"""What the columns hold; what stands for a secret may be longer than it."""


def without_secrets(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """Return the draft with its secrets replaced, and their kinds."""
    values, kinds = changes_without_secrets(
        {name: getattr(draft, name) for name in TEXTS}
    )
    return (replace(draft, **values), kinds) if kinds else (draft, ())


def changes_without_secrets(
    changes: Mapping[str, Any],
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the changes of a draft with their secrets replaced, and their kinds."""
    kinds: dict[str, None] = {}
    cleaned = dict(changes)
    for name in TEXTS:
        if cleaned.get(name):
            cleaned[name] = _cleaned(cleaned[name], kinds, LONGEST.get(name))
    return cleaned, tuple(kinds)


def _cleaned(value: Any, kinds: dict[str, None], longest: int | None = None) -> Any:
    if isinstance(value, str):
        redaction = redact_secrets(value)
        kinds.update(dict.fromkeys(redaction.kinds))
        return redaction.text[:longest] if redaction.kinds else value
    if isinstance(value, Mapping):
        return dict(_cleaned_items(value, kinds))
    if isinstance(value, list | tuple):
        return type(value)(_cleaned(item, kinds, longest) for item in value)
    return value


def _cleaned_items(
    mapping: Mapping[str, Any], kinds: dict[str, None]
) -> Iterator[tuple[str, Any]]:
    for key, value in mapping.items():
        yield _cleaned(key, kinds), _cleaned(value, kinds)
