"""How many tokens a text takes at most, without knowing the reader's tokenizer.

Tokenizers of present models make one token of about four letters of English and of
one to two Chinese characters; rare words, digits and signs take more. Counted here:
one for every three letters of a word begun, one for every digit, sign and line break,
one for a character of an unspaced script, two for anything else beyond ASCII.
"""

import re

_PART = re.compile(
    r"(?P<word>[A-Za-z]+)"
    r"|(?P<one>[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]|[!-~]|\n)"
    r"|(?P<two>[^\x00-\x7f])"
)
ELLIPSIS = " …"


def tokens_at_most(text: str) -> int:
    """Return an upper bound of the tokens of `text`."""
    return sum(map(_cost, _PART.finditer(text)))


def cut_to(text: str, tokens: int) -> str:
    """Return `text`, or its beginning with an ellipsis, in at most `tokens`.

    Empty where not even one part and the ellipsis fit.
    """
    if tokens_at_most(text) <= tokens:
        return text
    left = tokens - tokens_at_most(ELLIPSIS)
    end = 0
    for part in _PART.finditer(text):
        left -= _cost(part)
        if left < 0:
            break
        end = part.end()
    kept = text[:end].rstrip()
    return f"{kept}{ELLIPSIS}" if kept else ""


def _cost(part: re.Match[str]) -> int:
    if part.lastgroup == "word":
        return -(-len(part.group()) // 3)
    return 1 if part.lastgroup == "one" else 2
