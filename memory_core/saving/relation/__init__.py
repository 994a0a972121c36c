"""The relation of two statements: duplicate, supersede, refines or distinct."""

from memory_core.saving.relation.judging import relate, relate_many
from memory_core.saving.relation.normal import normalise

__all__ = ["normalise", "relate", "relate_many"]
