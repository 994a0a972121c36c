"""The texts of one write, each with its path."""

from collections.abc import Iterator, Mapping, Sequence

MAX_DEPTH = 32
MAX_TEXTS = 2_000
_IDENTIFIERS = frozenset({"external_id", "session_id"})


class TooDeep(ValueError):
    """The metadata nest deeper or hold more texts than the filter will read."""


def texts_of(fields: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return (path, text) of every string in the fields, keys of mappings included.

    Raises TooDeep beyond 32 levels or 2,000 texts.
    """
    found: list[tuple[str, str]] = []
    for name, value in fields.items():
        for item in _walk(name, value):
            found.append(item)
            if len(found) > MAX_TEXTS:
                raise TooDeep(name)
    return found


def joined(texts: list[tuple[str, str]]) -> str:
    """Return all texts but identifiers as one, to find a payload that was split."""
    return " ".join(text for path, text in texts if path not in _IDENTIFIERS)


def _walk(path: str, value: object) -> Iterator[tuple[str, str]]:
    pending: list[tuple[str, object, int]] = [(path, value, 0)]
    while pending:
        here, item, depth = pending.pop()
        if depth > MAX_DEPTH:
            raise TooDeep(path)
        if isinstance(item, str):
            if item.strip():
                yield here, item
        elif isinstance(item, Mapping):
            for key, inner in reversed(list(item.items())):
                pending.append((f"{path}.*", inner, depth + 1))
                pending.append((f"{path}.key", str(key), depth + 1))
        elif isinstance(item, Sequence) and not isinstance(item, bytes):
            pending.extend((here, inner, depth + 1) for inner in reversed(item))
