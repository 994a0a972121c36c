"""What the screening room takes and answers; these values cross rooms."""

from dataclasses import dataclass, field
from typing import Literal

Outcome = Literal["allow", "hold", "refuse"]
SourceKind = Literal["user_input", "inference", "tool_result", "import"]
Trust = Literal["trusted", "normal", "blocked"]

SEVERITY: dict[Outcome, int] = {"allow": 0, "hold": 1, "refuse": 2}


def strictest(*outcomes: Outcome) -> Outcome:
    """Return the most severe of the outcomes, "allow" when there is none."""
    return max(outcomes, key=SEVERITY.__getitem__, default="allow")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a text comes from, as the server knows it from token and source."""

    kind: SourceKind
    trust: Trust = "normal"

    @property
    def is_trusted_user(self) -> bool:
        """Return whether sensitive actions may rest on this source."""
        return self.kind == "user_input" and self.trust == "trusted"


@dataclass(frozen=True, slots=True)
class Signal:
    """One finding: which rule, how strong, against which threshold, in which field.

    `outcome` is what the finding asks for after provenance was considered; `field`
    is a path such as "content" or "metadata.note"; no text of the memory is kept.
    """

    rule: str
    value: float
    threshold: float
    outcome: Outcome
    field: str

    def to_dict(self) -> dict[str, str | float]:
        """Return the signal as plain values for JSON."""
        return {
            "rule": self.rule,
            "value": self.value,
            "threshold": self.threshold,
            "outcome": self.outcome,
            "field": self.field,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision about one write, with its reasons and the rules' version.

    `tags` describe the content for the read check: "sensitive_action:<kind>",
    "pii:<kind>", "secret:<kind>". They are stored with the memory.
    """

    outcome: Outcome
    signals: tuple[Signal, ...] = ()
    version: str = ""
    tags: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the ids of the rules that ask for more than "allow", in order."""
        asked = (s.rule for s in self.signals if s.outcome != "allow")
        return tuple(dict.fromkeys(asked))

    def to_dict(self) -> dict[str, object]:
        """Return the verdict as plain values for JSON, without any memory text."""
        return {
            "outcome": self.outcome,
            "signals": [signal.to_dict() for signal in self.signals],
            "version": self.version,
            "tags": list(self.tags),
        }


@dataclass(frozen=True, slots=True)
class ReadItem:
    """What the read check needs to know of one memory at serve time.

    `version` and `tags` are those of the stored verdict; `source_trust` is the trust
    at this moment, not the one at the write; `approved` says that a person read and
    approved exactly this content; `extra` are further fields to judge when the stored
    verdict is of other rules.
    """

    content: str
    category: str
    source_kind: SourceKind
    source_trust: Trust
    version: str
    tags: tuple[str, ...] = ()
    approved: bool = False
    extra: dict[str, object] = field(default_factory=dict)


WithheldReason = Literal[
    "injection", "secret", "personal_data", "sensitive_action", "purpose"
]


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why one memory is left out of an answer; `rules` never quote its text."""

    reason: WithheldReason
    rules: tuple[str, ...] = ()
