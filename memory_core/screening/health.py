"""What start-up and the readiness page ask of the screening room."""

from dataclasses import dataclass

from memory_core.screening.classifier import classifier, rules_version
from memory_core.screening.rules.lexicon import concept_set
from memory_core.screening.rules.shapes import find_shapes
from memory_core.screening.sensitive import sensitive_kinds
from memory_core.screening.spelling import vocabulary
from memory_core.screening.tables import confusables, fold_table


@dataclass(frozen=True, slots=True)
class ScreeningHealth:
    """Whether the classifier works; `model` is the SHA-256 of its weights or ""."""

    degraded: bool
    version: str
    model: str


def prepare() -> ScreeningHealth:
    """Load rules, tables and weights; return their state.

    Raises if a rule or a table does not load: without them the service must not
    start. Missing or damaged weights only degrade it: untrusted writes are held.
    """
    fold_table()
    confusables()
    vocabulary()
    for language in ("en", "zh"):
        concept_set(language)
    list(find_shapes(""))
    sensitive_kinds("warm up 预热")
    model = classifier()
    return ScreeningHealth(
        degraded=model is None,
        version=rules_version(),
        model=model.digest if model else "",
    )
