"""Text -> vector."""

from memory_core.embedding.calibration import UNCALIBRATED, Calibration
from memory_core.embedding.endpoint import Endpoint
from memory_core.embedding.errors import EmbedderUnavailable
from memory_core.embedding.fitting import calibrate
from memory_core.embedding.protocol import MAX_TOKENS, Embedder, Vectors
from memory_core.embedding.registry import get_embedder
from memory_core.embedding.texts import UNSPACED_BYTES, is_unspaced

__all__ = [
    "MAX_TOKENS",
    "UNCALIBRATED",
    "UNSPACED_BYTES",
    "Calibration",
    "Embedder",
    "EmbedderUnavailable",
    "Endpoint",
    "Vectors",
    "calibrate",
    "get_embedder",
    "is_unspaced",
]
