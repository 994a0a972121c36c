"""The same words written otherwise: case, width and punctuation."""

import re
from collections.abc import Callable, Sequence

from benchmarks.quality.agent import Agent, Agents

FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
MARKS = {",": "，", "，": ",", ".": "。", "。": ".", "!": "！", "！": "!"}
BETWEEN_WORDS = re.compile(r"[,，.。!！](?!\d)")


def _with_other_marks(text: str) -> str:
    """The text with Chinese marks for Western ones, the reverse, and one more."""
    return BETWEEN_WORDS.sub(lambda found: MARKS[found.group()], text) + "!"


VARIANTS: dict[str, Callable[[str], str]] = {
    "exact": str,
    "case": str.swapcase,
    "width": lambda text: text.translate(FULL_WIDTH),
    "punctuation": _with_other_marks,
}


def recognised(texts: Sequence[str], agents: Agents) -> dict[str, float]:
    """Return the share of each kind of variant that is taken for what is known."""
    found = agents.each(_known, enumerate(texts))
    return {
        name: round(sum(one[name] for one in found) / max(len(found), 1), 4)
        for name in VARIANTS
    }


def _known(agent: Agent, numbered: tuple[int, str]) -> dict[str, bool]:
    number, text = numbered
    bodies = [
        {
            "owner_id": f"variant-{number}",
            "content": written,
            "category": "fact",
            "source": {"kind": "user_input", "name": "user"},
        }
        for written in [text, *(change(text) for change in VARIANTS.values())]
    ]
    first, *others = agent.save(bodies)
    known = [
        "memory_id" in other and other["memory_id"] == first.get("memory_id")
        for other in others
    ]
    return dict(zip(VARIANTS, known, strict=True))
