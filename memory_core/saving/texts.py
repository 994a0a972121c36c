"""The forms of one text: what is screened, and the key that equal ones share."""

from memory_core import digests
from memory_core.contracts.memories import Draft
from memory_core.saving.relation import normalise


def key_of(content: str) -> bytes:
    """Return the digest that texts share if only case, width or marks differ."""
    return digests.of_text(normalise(content) or content)


def screened_fields(draft: Draft, *, source_name: str) -> dict[str, object]:
    """Return every text of a draft that a model might read some day."""
    return {
        "content": draft.content,
        "subject": draft.subject,
        "entities": list(draft.entities),
        "tags": list(draft.tags),
        "metadata": dict(draft.metadata),
        "source_name": source_name,
        "external_id": draft.external_id,
        "session_id": draft.session_id,
    }
