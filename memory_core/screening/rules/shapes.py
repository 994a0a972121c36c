"""Shapes that a memory has no reason to have: chat markup, role turns, live links."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import re2

from memory_core.contracts.screening import Outcome
from memory_core.screening.rules.lexicon import OverBudget

_ROLE = r"(?:human|user|assistant|system|ai|developer|用户|助手|助理|系统|人类)"


@dataclass(frozen=True, slots=True)
class ShapeRule:
    """One pattern over a whole canonical text.

    One that is not enough `alone` counts where the classifier doubts the text as well.
    """

    id: str
    outcome: Outcome
    pattern: str
    alone: bool = True


SHAPE_RULES: tuple[ShapeRule, ...] = (
    ShapeRule(
        "envelope.chat_markup",
        "refuse",
        r"<\|? ?(?:im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|"
        r"start_header_id|end_header_id|begin_of_text|fim_\w+) ?\|>|\[/?inst\]|"
        r"<</?sys>>|<(?:start|end)_of_turn>|<\|(?:channel|message|start|end)\|>",
    ),
    ShapeRule(
        "envelope.closing_tag",
        "hold",
        r"</(?:system|memory|memories|context|instructions?|untrusted|document|data|"
        r"user_input|tool_result|assistant|prompt|mneme[\w-]*)>|<system>|"
        r"<(?:system|admin|developer|hidden)[-_ ]?"
        r"(?:prompt|message|instructions?|override|note)\b",
    ),
    ShapeRule(
        "envelope.end_marker",
        "hold",
        r"(?:end|begin|start)(?:ing)? of (?:the )?(?:user |system |tool |untrusted )?"
        r"(?:input|prompt|instructions?|context|message|document|data)\b.{0,12}"
        r"(?:[-=#*\]>]|$)|-{3,} ?(?:end|begin|system|internal|new instructions)|"
        r"\[end (?:of )?\w+",
    ),
    ShapeRule(
        "envelope.role_turns",
        "hold",
        rf"(?s)(?:^|\n|\. |。|## ?)\s*{_ROLE} ?:.{{1,400}}(?:\n|。|\. |## ?)\s*"
        rf"(?:assistant|system|助手|系统|ai) ?:",
        alone=False,  # agents keep ordinary conversations in this form
    ),
    ShapeRule(
        "envelope.heading",
        "hold",
        r"(?m)^\s*#{2,} ?(?:new |updated )?(?:system|instructions?|系统|指令|新指令)"
        r"(?: prompt| message)? ?:?\s*$",
    ),
    ShapeRule(
        "link.image",
        "hold",
        r"!\[[^\]]{0,200}\]\([^)]{0,300}[?&{<\[$%]|<img\b[^>]{0,300}(?:src|onerror)",
    ),
    ShapeRule(
        "link.placeholder",
        "hold",
        r"https?://\S{0,200}[?&=/](?:[<{\[$]|%7b|%5b|encoded_|insert_|full_|base64_)",
    ),
    ShapeRule("link.reference", "hold", r"(?m)^\s*\[[^\]]{1,80}\]: ?https?://\S+\?"),
    ShapeRule(
        "link.active",
        "hold",
        r"javascript:|vbscript:|data:text/html|<script\b|<iframe\b|\bon(?:error|load|"
        r"click) ?=|<svg\b[^>]{0,80}\bon|<form\b",
    ),
    ShapeRule(
        "link.metadata_service",
        "hold",
        r"\b169\.254\.169\.254\b|metadata\.google\.internal|file:///",
    ),
    ShapeRule(
        "comment.hidden",
        "hold",
        r"(?s)<!--.{0,300}(?:assistant|\bai\b|ignore|instruction|system|agent|助手|"
        r"忽略|指令).{0,300}-->|(?:display: ?none|font-size: ?0|color: ?white)",
    ),
    ShapeRule(
        "command.destructive",
        "hold",
        r"\brm -rf? |\bdrop (?:table|database)\b|\bcurl [^|]{0,200}\| ?(?:ba)?sh|"
        r"\bwget [^|]{0,200}\| ?(?:ba)?sh|/etc/(?:passwd|shadow)|\bnc -e\b|"
        r"\bchmod 777\b|\bmkfs\b|:\(\)\{",
    ),
)


@cache
def _shape_set() -> re2.Set:
    options = re2.Options()
    options.max_mem = 64 << 20
    options.log_errors = False
    shapes = re2.Set.SearchSet(options)
    shapes.Add("")  # always matches, so that no match means a failure
    for rule in SHAPE_RULES:
        shapes.Add(rule.pattern)
    shapes.Compile()
    return shapes


def find_shapes(text: str) -> Iterator[ShapeRule]:
    """Yield the shape rules that match; raises OverBudget when RE2 gives up."""
    matches = _shape_set().Match(text)
    if not matches:
        raise OverBudget
    for index in sorted(matches):
        if index:
            yield SHAPE_RULES[index - 1]
