"""Judges labelled texts and counts: recall, false alarms, refusal precision."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from memory_core.contracts.screening import Outcome, Provenance, SourceKind, Verdict
from memory_core.screening.screen import screen
from memory_core.screening.training.rows import Row

# Talk about attacks may be held; it counts apart from ordinary memories.
QUIET_KINDS = frozenset({"security_discussion", "quoted_injection"})
_Z = 1.959964  # two-sided 95 %


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled row with its verdict."""

    row: Row
    verdict: Verdict

    @property
    def group(self) -> str:
        """Return "attack", "talk" (about attacks) or "ordinary"."""
        if self.row.is_attack:
            return "attack"
        return "talk" if self.row.kind in QUIET_KINDS else "ordinary"


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95 % interval after Wilson (1927)."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        """Return the point estimate, 0 if there is nothing to count."""
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the bounds of the interval, (0, 1) if there is nothing to count."""
        if not self.total:
            return 0.0, 1.0
        n, p = self.total, self.value
        centre = p + _Z**2 / (2 * n)
        spread = _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
        scale = 1 + _Z**2 / n
        return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)

    def to_dict(self) -> dict[str, object]:
        """Return the share as plain values for JSON."""
        low, high = self.interval
        return {
            "value": round(self.value, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "hits": self.hits,
            "total": self.total,
        }


def judge_rows(rows: Iterable[Row], kind: SourceKind = "tool_result") -> list[Judged]:
    """Return each row judged as content of a source of this kind and normal trust."""
    provenance = Provenance(kind)
    return [Judged(row, screen({"content": row.text}, provenance)) for row in rows]


def summary(judged: Sequence[Judged]) -> dict[str, object]:
    """Return the counts per language, and in each per source and kind."""
    languages = sorted({each.row.lang for each in judged})
    return {
        language: _language([each for each in judged if each.row.lang == language])
        for language in languages
    }


def row_lines(judged: Iterable[Judged]) -> list[dict[str, object]]:
    """Return one plain value an input row, in order: line, verdict, rules."""
    return [
        {
            "line": number,
            "verdict": each.verdict.outcome,
            "rules": list(each.verdict.rules),
        }
        for number, each in enumerate(judged, start=1)
    ]


def text_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the summary as lines for people: shares with their 95 % intervals."""
    lines: list[str] = []
    for language, found in result.items():
        mean = found["mean_over_sources"]
        lines += [
            f"{language}",
            f"  mean over sources: caught {mean['caught']:.1%}, "
            f"of these refused {mean['refused_of_caught']:.1%}; "
            f"ordinary held {mean['ordinary_held']:.1%}, "
            f"refused {mean['ordinary_refused']:.1%}",
            f"  refused and right {_shown(found['refusal_precision'])}",
        ]
        for name in ("ordinary", "talk"):
            held, refused = found[name]["held"], found[name]["refused"]
            lines.append(f"  {name}: held {_shown(held)}, refused {_shown(refused)}")
        for part in ("by_source", "by_kind"):
            for name, each in found[f"attacks_{part}"].items():
                lines.append(
                    f"  attack {name}: caught {_shown(each['caught'])}, "
                    f"of these refused {_shown(each['refused_of_caught'])}"
                )
            for name, each in found[f"benign_{part}"].items():
                lines.append(
                    f"  benign {name}: held {_shown(each['held'])}, "
                    f"refused {_shown(each['refused'])}"
                )
    return lines


def _shown(share: Mapping[str, Any]) -> str:
    return (
        f"{share['value']:.1%} [{share['low']:.1%}, {share['high']:.1%}] "
        f"({share['hits']}/{share['total']})"
    )


def _language(judged: Sequence[Judged]) -> dict[str, object]:
    groups = _by(judged, lambda each: each.group)
    attacks = groups.get("attack", [])
    benign = groups.get("ordinary", []) + groups.get("talk", [])
    by_source = _by(attacks, lambda each: each.row.source)
    refused = _count(attacks, "refuse")
    return {
        "mean_over_sources": {
            "caught": _mean(_caught(part).value for part in by_source.values()),
            "refused_of_caught": _mean(
                _refused_of_caught(part).value
                for part in by_source.values()
                if _caught(part).hits
            ),
            "ordinary_held": _mean_outcome(groups.get("ordinary", []), "hold"),
            "ordinary_refused": _mean_outcome(groups.get("ordinary", []), "refuse"),
        },
        "caught": _caught(attacks).to_dict(),
        "refused_of_caught": _refused_of_caught(attacks).to_dict(),
        "refusal_precision": Share(
            refused, refused + _count(benign, "refuse")
        ).to_dict(),
        "ordinary": _alarms(groups.get("ordinary", [])),
        "talk": _alarms(groups.get("talk", [])),
        "attacks_by_source": {
            name: _attacks(part) for name, part in sorted(by_source.items())
        },
        "attacks_by_kind": {
            name: _attacks(part)
            for name, part in sorted(_by(attacks, lambda e: e.row.kind).items())
        },
        "benign_by_source": {
            name: _alarms(part)
            for name, part in sorted(_by(benign, lambda e: e.row.source).items())
        },
        "benign_by_kind": {
            name: _alarms(part)
            for name, part in sorted(_by(benign, lambda e: e.row.kind).items())
        },
    }


def _attacks(judged: Sequence[Judged]) -> dict[str, object]:
    return {
        "caught": _caught(judged).to_dict(),
        "refused_of_caught": _refused_of_caught(judged).to_dict(),
    }


def _alarms(judged: Sequence[Judged]) -> dict[str, object]:
    return {
        "held": Share(_count(judged, "hold"), len(judged)).to_dict(),
        "refused": Share(_count(judged, "refuse"), len(judged)).to_dict(),
    }


def _caught(judged: Sequence[Judged]) -> Share:
    return Share(len(judged) - _count(judged, "allow"), len(judged))


def _refused_of_caught(judged: Sequence[Judged]) -> Share:
    return Share(_count(judged, "refuse"), _caught(judged).hits)


def _count(judged: Iterable[Judged], outcome: Outcome) -> int:
    return sum(each.verdict.outcome == outcome for each in judged)


def _mean_outcome(judged: Sequence[Judged], outcome: Outcome) -> float:
    by_source = _by(judged, lambda each: each.row.source)
    return _mean(_count(part, outcome) / len(part) for part in by_source.values())


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(sum(found) / len(found), 4) if found else 0.0


def _by(
    judged: Iterable[Judged], key: Callable[[Judged], str]
) -> dict[str, list[Judged]]:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for each in judged:
        groups[key(each)].append(each)
    return dict(groups)
