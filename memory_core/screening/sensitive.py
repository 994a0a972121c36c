"""The tagger of sensitive actions: which kind, and whether consent is kept.

"Ask me before every transfer" and "never ask me before a transfer" share their
words; only the second is a sensitive action.
"""

from functools import cache

from memory_core.screening.rules.lexicon import ConceptSet
from memory_core.screening.windows import layout

KINDS = frozenset(
    {
        "delete", "transfer_money", "change_config", "change_credential", "grant",
        "share_external", "cancel", "change_account",
    }
)  # fmt: skip


def sensitive_kinds(text: str) -> frozenset[str]:
    """Return the kinds of sensitive action that a canonical text asks for.

    A sentence that keeps consent or reports what was done asks for none.
    """
    found: set[str] = set()
    for start, end in layout(text).pieces:
        concepts = _actions().find(text[start:end])
        consent_kept = "guarded" in concepts and "unguarded" not in concepts
        only_told = "told" in concepts and "unguarded" not in concepts
        if not (consent_kept or only_told):
            found |= concepts & KINDS
    return frozenset(found)


@cache
def _actions() -> ConceptSet:
    return ConceptSet("actions.txt")
