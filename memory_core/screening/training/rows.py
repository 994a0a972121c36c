"""Labelled texts to train on: JSON lines from outside, and our own sentences."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

AUTHORED = "authored"
"""The source of our own sentences, and the folder that they lie in."""


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled text with its origin."""

    text: str
    is_attack: bool
    kind: str
    lang: str
    source: str


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a JSON lines file {text, label, kind, lang, source}."""
    with path.open(encoding="utf-8") as lines:
        return [_row(json.loads(line)) for line in lines if line.strip()]


def read_ordinary(path: Path) -> list[Row]:
    """Return every `text`, `a` and `b` of a JSON lines file as an ordinary memory."""
    found: dict[str, None] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            found.update((item[key], None) for key in ("text", "a", "b") if key in item)
    source = f"ordinary:{path.parent.name}/{path.stem}"
    return [Row(text, False, "memory", "", source) for text in found]


def authored_rows() -> Iterator[Row]:
    """Yield our own sentences, shipped beside this module."""
    folder = files(__package__) / AUTHORED
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        label = kind = ""
        lang = file.name.split(".")[1]
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith(("[attack ", "[benign ")) and line.endswith("]"):
                label, kind = line[1:-1].split()
            elif label and line:
                yield Row(line, label == "attack", kind, lang, AUTHORED)


def _row(item: dict[str, str]) -> Row:
    return Row(
        text=item["text"],
        is_attack=item["label"] == "attack",
        kind=item.get("kind", ""),
        lang=item.get("lang", ""),
        source=item.get("source", ""),
    )
