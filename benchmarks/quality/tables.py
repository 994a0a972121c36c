"""The report as people read it."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.quality.bars import bars_of

METHODS = ("service", "thresholds", "bm25", "cosine")


def lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of all tables that the report fills."""
    for store, figures in report.get("recall", {}).items():
        yield f"{store}: {figures['queries']} queries, {_pairs(figures['became'])}"
        for method in METHODS:
            yield f"  {method:12}{_pairs(figures[method])}"
    for kind in ("save", "recall"):
        if stages := report.get("stages", {}).get(kind):
            yield f"{kind}, median ms: {_pairs(stages)}"
    for language, figures in report.get("insertion", {}).items():
        yield f"inserted, {language}: {_pairs(figures)}"
    for language, figures in report.get("pairs", {}).get("insertion", {}).items():
        yield f"inserted, unseen pairs, judge alone, {language}: {_pairs(figures)}"
    if moved := report.get("moving"):
        yield f"moved: {_pairs(moved)}"
        for side, figures in ({"here": moved["here"]} | moved["there"]).items():
            yield f"  {side:12}{_pairs(figures)}"
    for name, found in report.get("held_out", {}).items():
        yield f"held out, {name}: {_pairs(found) if name != 'harmed' else len(found)}"
    for bar in bars_of(dict(report)):
        sign = "at most" if bar.is_most else "at least"
        verdict = "met" if bar.is_met else "MISSED"
        yield f"{verdict:8}{bar.name:36}{bar.value:.3f}  {sign} {bar.bound}"
    yield f"{report['seconds']:.0f} s in all"


def _pairs(figures: Mapping[str, Any]) -> str:
    numbers = {k: v for k, v in figures.items() if isinstance(v, int | float)}
    return "  ".join(
        f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}"
        for name, value in numbers.items()
    )
