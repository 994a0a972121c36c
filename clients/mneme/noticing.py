"""Which of a user's messages are worth keeping, and as what. Rules, no model.

A chat adapter without anything better keeps plain statements of the user and leaves
questions, requests and small talk out: what is kept comes back in later prompts.
"""

from __future__ import annotations

import re

SHORTEST = 3  # characters
LONGEST = 1_000  # a longer message is a document, not a statement

_ASKING = re.compile(
    r"[?？]\s*$|^(请|帮|麻烦|能不能|可以|给我|告诉我|什么|怎么|为什么|谁|哪)"
    r"|^(please|can|could|would|will|what|how|why|who|when|where|which|tell|give|show"
    r"|find|write|do|does|did|is|are)\b|(吗|呢)\s*$|什么$|有什么",
    re.IGNORECASE,
)
_EXPLICIT = re.compile(r"^(请)?(记住|记得|记一下)|^(please )?remember\b", re.IGNORECASE)
_SMALL_TALK = re.compile(
    r"^(你好|您好|谢谢|好的?|嗯+|再见|hi|hello|hey|thanks?( you)?|ok(ay)?|yes|no|bye)"
    r"[\s!！。.,，]*$",
    re.IGNORECASE,
)
_KINDS = (
    ("constraint", r"不要|别再|不能|过敏|\bnever\b|\bmust not\b|\ballergic\b"),
    ("profile", r"我叫|我的名字|我是|我住|我今年|my name is|\bi am\b|\bi'm\b|\bi live"),
    ("preference", r"喜欢|讨厌|偏好|偏爱|爱|\blikes?\b|\bprefer|\bloves?\b|\bhates?\b"),
)


def notice(text: str) -> str | None:
    """Return the category to keep a user's message under, or None to let it go."""
    said = text.strip()
    if not SHORTEST <= len(said) <= LONGEST or _SMALL_TALK.match(said):
        return None
    if _ASKING.search(said) and not _EXPLICIT.match(said):
        return None
    for category, pattern in _KINDS:
        if re.search(pattern, said, re.IGNORECASE):
            return category
    return "event"
