"""Words that say nothing about the matter, as they stand after folding."""

from importlib.resources import files


def _words(name: str) -> frozenset[str]:
    return frozenset((files(__package__) / name).read_text("utf-8").split())


ENGLISH = _words("stopwords_en.txt")
CHINESE = _words("stopwords_zh.txt")
"""Single characters only: the pairs they are part of stay terms."""
