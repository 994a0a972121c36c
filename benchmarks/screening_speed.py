"""Time of one write through the filter, by length and language, on one core.

    python benchmarks/screening_speed.py [--data FILE] [--runs 300] [--out FILE]

Texts are cut out of a file's ordinary rows (JSON lines {text, label, lang}), or of our
own ones. Prints milliseconds of processor time: p50 and p99.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memory_core.contracts.screening import Provenance
from memory_core.screening import prepare, screen
from memory_core.screening.training.rows import Row, authored_rows, read_rows

LENGTHS = (100, 1_000, 4_000, 8_000)
TOOL = Provenance("tool_result")


def texts(rows: list[Row], language: str, length: int, runs: int) -> list[str]:
    """Return `runs` texts of a length cut out of the ordinary rows of a language."""
    joint = "\n" if language == "zh" else " "
    all_text = joint.join(r.text for r in rows if r.lang == language)
    while len(all_text) <= length:
        all_text += joint + all_text
    rng = random.Random(length)
    starts = (rng.randrange(len(all_text) - length) for _ in range(runs))
    return [all_text[start : start + length] for start in starts]


def milliseconds(sample: list[str]) -> dict[str, float]:
    """Return p50 and p99 of the processor time of a verdict."""
    spent = []
    for text in sample:
        start = time.process_time()
        screen({"content": text}, TOOL)
        spent.append((time.process_time() - start) * 1e3)
    spent.sort()
    last = len(spent) - 1
    return {
        "p50": round(spent[last // 2], 2),
        "p99": round(spent[int(last * 0.99)], 2),
    }


def main() -> None:
    """Print the table, or write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = read_rows(options.data) if options.data else list(authored_rows())
    ordinary = [row for row in rows if not row.is_attack]
    prepare()
    result = {
        f"{language}_{length}": milliseconds(
            texts(ordinary, language, length, options.runs)
        )
        for language in ("en", "zh")
        for length in LENGTHS
    }
    if options.out:
        options.out.write_text(json.dumps(result, indent=1), encoding="utf-8")
    for name, row in result.items():
        print(f"{name:10} p50 {row['p50']:7.2f} ms   p99 {row['p99']:7.2f} ms")


if __name__ == "__main__":
    main()
