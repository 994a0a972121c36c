"""What the figures must reach."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Report = dict[str, Any]
LANGUAGES = ("zh", "en")


@dataclass(frozen=True)
class Bar:
    """One figure and its bound, least or most."""

    name: str
    value: float
    bound: float
    is_most: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the figure is within the bound."""
        return self.value <= self.bound if self.is_most else self.value >= self.bound

    def to_dict(self) -> Report:
        """The bar for JSON."""
        bound = "most" if self.is_most else "least"
        return {
            "name": self.name,
            "value": self.value,
            bound: self.bound,
            "met": self.is_met,
        }


def bars_of(report: Report) -> list[Bar]:
    """Return the bars for which the report has figures."""
    found = [*_recall(report.get("recall", {})), *_pairs(report)]
    for model, moved in report.get("moving", {}).get("there", {}).items():
        bounds = (("lost", 0), ("fields_changed", 0), ("difference", 0.01))
        found += [
            Bar(f"moving to {model}, {name}", abs(moved[name]), bound, is_most=True)
            for name, bound in bounds
        ]
    for language, figures in report.get("insertion", {}).items():
        found += _insertion(language, figures)
    return found


def _recall(stores: Report) -> Iterator[Bar]:
    for language in LANGUAGES:
        name = f"memorybank_{language}"
        if name in stores:
            figures = stores[name]["service"]
            better = max(stores[name][one]["recall@5"] for one in ("bm25", "cosine"))
            ahead = round(figures["recall@5"] - better, 4)
            yield Bar(f"{name} recall@5", figures["recall@5"], 0.97)
            yield Bar(f"{name} recall@10", figures["recall@10"], 0.99)
            yield Bar(f"{name} recall@5 ahead", ahead, 0.02)
    if "memora" in stores:
        figures = stores["memora"]["service"]
        yield Bar("memora recall@20", figures["recall@20"], 0.65)


def _pairs(report: Report) -> Iterator[Bar]:
    pairs = report.get("pairs", {})
    for kind, least in (("duplicate", 0.9), ("supersede", 0.94)):
        if kind in pairs:
            value = pairs[kind]["precision_at_recall_0.7"]
            yield Bar(f"{kind} precision at recall .7", value, least)
    for name, share in report.get("variants", {}).items():
        yield Bar(f"{name} variants", share, 1.0)


def _insertion(language: str, figures: Report) -> Iterator[Bar]:
    for name in ("false_duplicates", "false_supersedes"):
        yield Bar(f"{language} {name}", figures[name], 0.03, is_most=True)
    for name, least in (
        ("only_the_new", 0.7),
        ("both_come_back", 0.97),
        ("merged", 0.4),
    ):
        yield Bar(f"{language} {name}", figures[name], least)
