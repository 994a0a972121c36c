"""What a request holds of a person in clear: sealed in the database, key elsewhere.

Each request has a key of its own. When that is destroyed, names, letters and remarks
can be read nowhere, in no backup either.
"""

import json
from dataclasses import asdict, dataclass, replace

from memory_core.contracts.erasure import Identifier, IdentifierKind, Subject
from memory_core.keys import data


@dataclass(frozen=True, slots=True)
class CaseFile:
    """Who is to be forgotten, who asks, and the words of a refusal.

    `identifiers` are pairs of kind and value as they were given, owner ids among them.
    """

    identifiers: tuple[tuple[str, str], ...] = ()
    name: str = ""
    contact: str = ""
    reasons: str = ""

    @property
    def owner_ids(self) -> tuple[str, ...]:
        """The owner ids among the identifiers."""
        return tuple(value for kind, value in self.identifiers if kind == "owner")

    def subject(self) -> Subject:
        """Return the person as the core's erasure knows them."""
        others = (
            Identifier(IdentifierKind(kind), value)
            for kind, value in self.identifiers
            if kind != "owner"
        )
        return Subject(owner_ids=self.owner_ids, identifiers=tuple(others))


EMPTY = CaseFile()


def seal(ref: str, file: CaseFile) -> bytes:
    """Return the file sealed for the request."""
    return seal_text(ref, json.dumps(asdict(file), ensure_ascii=False))


def unseal(ref: str, sealed: bytes) -> CaseFile:
    """Return the file, an empty one if it was deleted or its key destroyed."""
    text = unseal_text(ref, sealed)
    if not text:
        return EMPTY
    found = CaseFile(**json.loads(text))
    pairs = tuple((kind, value) for kind, value in found.identifiers)
    return replace(found, identifiers=pairs)


def seal_text(ref: str, text: str) -> bytes:
    """Return a text sealed for the request."""
    return data.seal(_name(ref), text.encode("utf-8", "surrogatepass"))


def unseal_text(ref: str, sealed: bytes) -> str:
    """Return a text, empty if it was deleted or its key destroyed."""
    if not sealed:
        return ""
    try:
        return data.unseal(_name(ref), bytes(sealed)).decode("utf-8", "surrogatepass")
    except data.KeyDestroyed:
        return ""


def destroy(ref: str) -> str:
    """Destroy the request's key and return its id."""
    return data.destroy(_name(ref))


def _name(ref: str) -> str:
    return f"case:{ref}"
