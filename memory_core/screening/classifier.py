"""The linear classifier: scores for the windows of a text, thresholds per language.

Weights are eight-bit numbers in an npz beside a JSON manifest that names their SHA-256,
its own, the version of the features and what they were trained on. Nothing is
unpickled. The digest of the shipped manifest is written down in the code as well.
"""

import hashlib
import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_core.screening.features import (
    BITS,
    Block,
    char_block,
    concept_names,
    word_block,
)
from memory_core.screening.versions import RULES_VERSION, SHIPPED_WEIGHTS
from memory_core.screening.windows import Window

FEATURES_VERSION = 5
_HAN = re.compile("[\u3400-\u9fff]")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Logits of one language from which a window is held, and refused."""

    hold: float
    refuse: float


@dataclass(frozen=True, slots=True)
class Classifier:
    """Weights of one trained model."""

    bias: float
    chars: NDArray[np.float32]
    words: NDArray[np.float32]
    concepts: dict[str, float]
    thresholds: dict[str, Thresholds]
    digest: str

    def scores(
        self,
        text: str,
        windows: Sequence[Window],
        concepts: Sequence[frozenset[str]],
    ) -> list[float]:
        """Return the logit of "attack" for each window of a normal form."""
        spans = [(window.start, window.end) for window in windows]
        total = _sums(char_block(text), self.chars, spans)
        total += _sums(word_block(text), self.words, spans)
        weight = self.concepts.get
        return [
            self.bias + float(grams) + sum(weight(n, 0.0) for n in concept_names(found))
            for grams, found in zip(total, concepts, strict=True)
        ]


class WeightsError(Exception):
    """The shipped weights are missing, damaged or of another version."""


def language_of(text: str) -> str:
    """Return "zh" if at least a fifth of the characters are Chinese, else "en"."""
    return "zh" if len(_HAN.findall(text)) * 5 >= len(text) else "en"


_chosen: Path | None = None


def use_weights(folder: Path | None) -> None:
    """Judge with the weights in a folder from now on, with None by the shipped ones."""
    global _chosen
    _chosen = folder
    classifier.cache_clear()
    rules_version.cache_clear()


@cache
def rules_version() -> str:
    """Return the version stored with verdicts: other weights are other rules."""
    model = classifier()
    if model is None or model.digest == SHIPPED_WEIGHTS:
        return RULES_VERSION
    return f"{RULES_VERSION}+{model.digest[:8]}"


@cache
def classifier() -> Classifier | None:
    """Return the classifier, or None (logged) if its weights cannot be trusted."""
    try:
        if _chosen:
            return load_classifier(_chosen)
        model = load_classifier(files(__package__).joinpath("weights"))
        if model.digest != SHIPPED_WEIGHTS:
            raise WeightsError("these are not the weights of this version")
        return model
    except WeightsError as error:
        _LOG.error("screening runs without its classifier: %s", error)
        return None


def load_classifier(folder: Traversable) -> Classifier:
    """Return the classifier in a folder; raises WeightsError if anything is wrong."""
    try:
        manifest = json.loads(folder.joinpath("linear.json").read_text("utf-8"))
        data = folder.joinpath("linear.npz").read_bytes()
        _check(manifest, data)
        arrays = np.load(BytesIO(data), allow_pickle=False)
        return Classifier(
            bias=float(manifest["bias"]),
            chars=_scaled(arrays["chars"], manifest["scales"]["chars"]),
            words=_scaled(arrays["words"], manifest["scales"]["words"]),
            concepts={k: float(v) for k, v in manifest["concepts"].items()},
            thresholds={
                lang: Thresholds(**manifest["thresholds"][lang])
                for lang in ("en", "zh")
            },
            digest=manifest["manifest_sha256"],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"{type(error).__name__}: {error}") from error


def manifest_digest(manifest: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a manifest without the entry that keeps it."""
    kept = {name: manifest[name] for name in manifest if name != "manifest_sha256"}
    plain = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()


def _sums(
    block: Block, weights: NDArray[np.float32], spans: Sequence[tuple[int, int]]
) -> NDArray[np.float64]:
    """Return the weighted n-grams of each span, over the root of their number.

    Running totals make any number of windows as cheap as one.
    """
    bounds = np.array(spans, dtype=np.int64).reshape(-1, 2)
    units = block.starts.searchsorted(bounds)
    first, last = units[:, :1], units[:, 1:]
    stop = np.minimum(np.maximum(first, last - block.orders + 1), block.counts)
    begin = np.minimum(first, stop)
    running = np.zeros(len(block.places) + 1)
    weights[block.places].cumsum(dtype=float, out=running[1:])
    before = block.counts.cumsum() - block.counts
    total = (running[before + stop] - running[before + begin]).sum(axis=1)
    number = (stop - begin).sum(axis=1)
    return np.asarray(total / np.sqrt(np.maximum(number, 1)))


def _check(manifest: Mapping[str, Any], data: bytes) -> None:
    if manifest["manifest_sha256"] != manifest_digest(manifest):
        raise WeightsError("the manifest does not have its own SHA-256")
    if manifest["features"] != FEATURES_VERSION:
        raise WeightsError("the weights are for another version of the features")
    if hashlib.sha256(data).hexdigest() != manifest["sha256"]:
        raise WeightsError("the weights do not have the manifest's SHA-256")


def _scaled(values: NDArray[np.int8], scale: float) -> NDArray[np.float32]:
    if values.shape != (2**BITS,) or values.dtype != np.int8:
        raise WeightsError("the weights have another shape")
    return values.astype(np.float32) * np.float32(scale)
