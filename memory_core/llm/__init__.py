"""A language model behind an OpenAI-compatible endpoint, if one is configured."""

from memory_core.llm.chat import ChatModel, LanguageModelUnavailable, configured
from memory_core.llm.judging import is_suspicious
from memory_core.llm.reading import json_in
from memory_core.llm.reranking import reranked

__all__ = [
    "ChatModel",
    "LanguageModelUnavailable",
    "configured",
    "is_suspicious",
    "json_in",
    "reranked",
]
