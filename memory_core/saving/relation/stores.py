"""Ordinary distinct pairs, found beside statements in real stores of memories."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from memory_core.saving.relation.labelled import LabelledPair
from memory_core.saving.relation.scales import Embed, unit


def read_stores(file: Path) -> dict[str, list[str]]:
    """Texts by conversation of a JSONL file of ``{conv, text}`` rows, in file order."""
    stores: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip():
            row = json.loads(line)
            stores.setdefault(row["conv"], []).append(row["text"])
    return stores


def beside(
    pairs: Sequence[LabelledPair],
    stores: Mapping[str, Sequence[str]],
    embed: Embed,
    *,
    count: int = 1,
    weight: float = 0.3,
) -> list[LabelledPair]:
    """Each new statement of the pairs with its nearest memories of each language.

    A store knows nothing of the pairs, so all are distinct. ``count`` is the number
    of neighbours for one statement.
    """
    texts = [text for store in stores.values() for text in store]
    wanted = list(dict.fromkeys(p.new for p in pairs))
    if not texts or not wanted:
        return []
    near = np.argsort(-(unit(embed(wanted)) @ unit(embed(texts)).T), axis=1)[:, :count]
    return [
        LabelledPair(texts[j], text, "distinct", weight=weight)
        for text, row in zip(wanted, near, strict=True)
        for j in row
    ]
