"""The screening room: text in, verdict out. It stores nothing and knows no database."""

from memory_core.screening.canonical import fold_lookalikes
from memory_core.screening.classifier import rules_version, use_weights
from memory_core.screening.health import ScreeningHealth, prepare
from memory_core.screening.pairs import with_the_one_before
from memory_core.screening.read_check import read_check
from memory_core.screening.screen import screen
from memory_core.screening.secrets import redact_secrets
from memory_core.screening.versions import RULES_VERSION

__all__ = [
    "RULES_VERSION",
    "ScreeningHealth",
    "fold_lookalikes",
    "prepare",
    "read_check",
    "redact_secrets",
    "rules_version",
    "screen",
    "use_weights",
    "with_the_one_before",
]
