"""Which concepts of an order a window of text contains: one linear pass each.

The word lists are data files; RE2 matches all of a language in one automaton, so a
hostile text cannot make the search slower than its length.
"""

import re
from functools import cache
from importlib.resources import files

import re2

_MEMORY = 256 << 20  # bytes an automaton may use before RE2 gives up on a text
_ALWAYS = ""
PROTECTING = "protecting"
"""The heading of phrases that are no part of any concept."""
_HAS_CJK = re.compile("[\u3400-\u9fff]")
_HAS_LATIN = re.compile("[a-z]{2}")


class OverBudget(Exception):
    """The automaton ran out of memory on this text; the caller holds it."""


class ConceptSet:
    """The compiled concepts of one data file."""

    def __init__(self, name: str) -> None:
        options = re2.Options()
        options.max_mem = _MEMORY
        options.log_errors = False
        self._set = re2.Set.SearchSet(options)
        # The empty pattern always matches, so that no match at all means a failure.
        self._names = [_ALWAYS]
        self._set.Add("")
        self._protecting = []
        for concept, pattern in _read(name):
            self._set.Add(pattern)
            self._names.append(concept)
            if concept == PROTECTING:
                self._protecting.append(re2.compile(pattern, options))
        self._set.Compile()

    def find(self, window: str) -> set[str]:
        """Return the names of the concepts in a canonical window.

        What protects a reader ("never share your password") has the words of an order
        that harms, so it is not read.
        """
        found = self._matching(window)
        if PROTECTING in found:
            for pattern in self._protecting:
                window = pattern.sub(" ", window)
            found = self._matching(window)
        return found - {_ALWAYS, PROTECTING}

    def _matching(self, window: str) -> set[str]:
        matches = self._set.Match(window)
        if not matches:
            raise OverBudget
        return {self._names[index] for index in matches}


def concepts(window: str) -> frozenset[str]:
    """Return the concepts of both languages in a canonical window."""
    found: set[str] = set()
    if _HAS_CJK.search(window):
        found |= concept_set("zh").find(window)
    if _HAS_LATIN.search(window):
        found |= concept_set("en").find(window)
    if "never_ask" in found:
        found.discard(
            "guarded"
        )  # "never ask me before" has the words of "ask me before"
    return frozenset(found)


@cache
def concept_set(language: str) -> ConceptSet:
    """Return the compiled concepts of "en" or "zh"; raises if a pattern is broken."""
    return ConceptSet(f"lexicon.{language}.txt")


def _read(file: str) -> list[tuple[str, str]]:
    package = files(__package__.rpartition(".")[0])
    text = package.joinpath("data", file).read_text("utf-8")
    pairs: list[tuple[str, str]] = []
    name = never = ""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]") and line[1:-1].isidentifier():
            name = line[1:-1]
        elif name == "never":
            never = line
        else:
            pairs.append((name, line.replace("{never}", never)))
    return pairs
