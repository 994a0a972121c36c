"""Text -> terms, and BM25 arithmetic over them."""

from memory_core.lexical.bm25 import K1, B, ceiling, idf, saturation
from memory_core.lexical.names import frequent_names, named, strip_names
from memory_core.lexical.questions import asks
from memory_core.lexical.tokens import cut_to, tokens_at_most
from memory_core.lexical.words import Terms, query_terms, terms

__all__ = [
    "K1",
    "B",
    "Terms",
    "asks",
    "ceiling",
    "cut_to",
    "frequent_names",
    "idf",
    "named",
    "query_terms",
    "saturation",
    "strip_names",
    "terms",
    "tokens_at_most",
]
