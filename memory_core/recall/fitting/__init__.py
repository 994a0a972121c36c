"""Fitting a ranking profile on what agents said of their recalls."""

from memory_core.recall.fitting.cases import Case, cases_of
from memory_core.recall.fitting.search import Fit, fit, quality

__all__ = ["Case", "Fit", "cases_of", "fit", "quality"]
