"""English stems, also for other languages in Latin script, where they do little."""

from functools import lru_cache
from threading import local

import snowballstemmer

_of_thread = local()


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The Porter 2 stem of a folded `word`; other scripts come back as they are."""
    if not word.isascii() or len(word) < 3:
        return word
    # A stemmer keeps its word in itself while it works: threads cannot share one.
    if not hasattr(_of_thread, "stemmer"):
        _of_thread.stemmer = snowballstemmer.stemmer("english")
    return str(_of_thread.stemmer.stemWord(word))
