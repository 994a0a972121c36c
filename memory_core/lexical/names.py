"""The names of an owner in a query."""

from collections.abc import Iterable, Iterator, Mapping

from memory_core.lexical.stopwords import ENGLISH

GENERIC = frozenset(
    {"user", "the user", "users", "assistant", "agent", "bot", "ai", "me", "myself"}
    | {"owner", "customer", "client", "用户", "客户", "顾客", "助手", "本人", "自己"}
)
"""Subjects that name nobody."""
POSSESSIVES = ("'s", "’s", "的")
SHORTEST = 2
COMMON_SHARE = 0.1
"""Of an owner's memories, from which a subject counts as a name of the owner's."""


def frequent_names(subjects: Mapping[str, int]) -> list[str]:
    """Those subjects that are worth leaving out of a query, from their memory counts.

    One that few memories are about (a pair of headphones) tells memories apart and
    stays in the query.
    """
    least = COMMON_SHARE * sum(subjects.values())
    return [name for name, count in subjects.items() if name and count >= least]


def named(query: str, names: Iterable[str]) -> frozenset[str]:
    """Those of `names` that `query` mentions."""
    return frozenset(
        name for name in names if any(True for _ in _mentions(query, name))
    )


def strip_names(query: str, names: Iterable[str]) -> str:
    """`query` without `names`; as it was if nothing else would be left of it.

    Everything an owner has is about the owner, so the name tells memories apart
    only by who said it, which the ranking weighs by itself.
    """
    kept = list(query)
    for name in names:
        for start, end in _mentions(query, name):
            kept[start:end] = " " * (end - start)
    rest = "".join(kept)
    if rest == query:
        return query
    return " ".join(rest.split()) if any(map(str.isalnum, rest)) else query


def _mentions(query: str, name: str) -> Iterator[tuple[int, int]]:
    for form in _forms(" ".join(name.split())):
        yield from _places(query, form)
        casual = form.lower()
        if query.islower() and casual != form and casual not in ENGLISH:
            yield from _places(query, casual)


def _forms(name: str) -> list[str]:
    """The name, and the parts by which people call its bearer."""
    if len(name) < SHORTEST or name.lower() in GENERIC:
        return []
    if len(name) == 3 and all(map(_is_han, name)):
        return [name, name[1:]]
    return [name, *(part for part in name.split() if SHORTEST < len(part) < len(name))]


def _places(query: str, form: str) -> Iterator[tuple[int, int]]:
    start = query.find(form)
    while start >= 0:
        end = start + len(form)
        if not (_joined(query, start) or _joined(query, end)):
            tail = next((p for p in POSSESSIVES if query.startswith(p, end)), "")
            yield start, end + len(tail)
        start = query.find(form, end)


def _joined(query: str, at: int) -> bool:
    """Whether the characters around `at` belong to one word; Chinese has no such."""
    pair = query[max(at - 1, 0) : at + 1]
    return (
        len(pair) == 2 and at > 0 and all(c.isalnum() and not _is_han(c) for c in pair)
    )


def _is_han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"
