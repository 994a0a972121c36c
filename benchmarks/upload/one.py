"""Bring files to one running service: `python -m benchmarks.upload.one`."""

import json
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import BinaryIO

import django
import httpx
import psutil

from benchmarks.upload.files import FORMS, write

VIEWS = 5
LOOK_SECONDS = 0.1
MOST_SECONDS = 1_800
MAPPING = {
    "fields": {"content": "memory", "owner_id": "user_id", "timestamp": "created_at"}
}


class Memory:
    """Looks at the resident size of a process and all below it, in MB."""

    def __init__(self, pid: int) -> None:
        self._root = psutil.Process(pid)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.before = self._largest()
        self.highest = dict(self.before)

    def __enter__(self) -> "Memory":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()

    def growth(self) -> dict[str, float]:
        """Return by how much the largest web and worker process grew."""
        return {
            name: round(self.highest[name] - before, 1)
            for name, before in self.before.items()
        }

    def _look(self) -> None:
        while not self._ended.wait(LOOK_SECONDS):
            for name, size in self._largest().items():
                self.highest[name] = max(size, self.highest.get(name, 0.0))

    def _largest(self) -> dict[str, float]:
        sizes = {"web": 0.0, "worker": 0.0}
        for process in self._root.children(recursive=True):
            try:
                command, size = " ".join(process.cmdline()), process.memory_info().rss
            except psutil.Error:
                continue
            name = "web" if "granian" in command else "worker"
            if name == "web" or "celery" in command:
                sizes[name] = max(sizes[name], size / 2**20)
        return sizes


def main(mb: int, port: int, pid: int, answer: Path, forms: list[str]) -> None:
    """Write seconds and megabytes by form to `answer`."""
    django.setup()
    from benchmarks.console.fill import cookie  # needs Django's settings
    from memory_core.models import Namespace

    Namespace.objects.create(name="moved", kind="shared")
    client = httpx.Client(
        base_url=f"http://127.0.0.1:{port}",
        cookies={"sessionid": cookie(), "csrftoken": "a" * 32},
        timeout=MOST_SECONDS,
    )
    report = {}
    with TemporaryDirectory() as folder:
        for form in forms:
            path = write(Path(folder), form, mb * 2**20)
            report[form] = _brought(client, path, form, pid)
            path.unlink()
    answer.write_text(json.dumps(report))


def _brought(
    client: httpx.Client, path: Path, form: str, pid: int
) -> dict[str, object]:
    """Upload, describe, look several times, map; then give up."""
    with Memory(pid) as memory:
        taken = {}
        begun = time.perf_counter()
        with path.open("rb") as file:
            page = _post(client, "/moving/upload/", {}, file=file)
        taken["upload"] = time.perf_counter() - begun
        said = {"system": FORMS[form][2], "namespace": "moved", "age": "touch"}
        said["mapping"] = json.dumps(MAPPING)
        begun = time.perf_counter()
        _post(client, f"{page}describe/", said)
        taken["describe"] = time.perf_counter() - begun
        views = [_seconds(client, page) for _ in range(VIEWS)]
        taken["first_view"], taken["later_views"] = views[0], sorted(views[1:])[-1]
        begun = time.perf_counter()
        _post(client, f"{page}begin/", {"verb": "try"})
        _wait_until_mapped(page)
        taken["map"] = time.perf_counter() - begun
        _post(client, f"{page}give-up/", {})
    return {
        "file_mb": round(path.stat().st_size / 2**20, 1),
        "seconds": {name: round(value, 2) for name, value in taken.items()},
        "growth_mb": memory.growth(),
    }


def _post(
    client: httpx.Client, path: str, values: dict[str, str], **files: BinaryIO
) -> str:
    """Return where a form leads; SystemExit if it is not taken."""
    data = {**values, "csrfmiddlewaretoken": "a" * 32}
    answer = client.post(path, data=data, files=files or None)
    if answer.status_code != 302:
        raise SystemExit(f"{path} answered {answer.status_code}")
    return str(answer.headers["Location"])


def _seconds(client: httpx.Client, page: str) -> float:
    begun = time.perf_counter()
    answer = client.get(page)
    if answer.status_code != 200 or "What becomes of" not in answer.text:
        raise SystemExit(f"{page} answered {answer.status_code} without a sample")
    return time.perf_counter() - begun


def _wait_until_mapped(page: str) -> None:
    from memory_core.models import Job
    from memory_core.snapshots.uploads import MAPPING as AT_WORK
    from memory_core.snapshots.uploads import phase_of

    job_id, begun = page.strip("/").rpartition("/")[2], time.perf_counter()
    while phase_of(Job.objects.get(pk=job_id)) == AT_WORK:
        if time.perf_counter() - begun > MOST_SECONDS:
            raise SystemExit("the file was not mapped")
        time.sleep(0.2)


if __name__ == "__main__":
    mb, port, pid = map(int, sys.argv[1:4])
    main(mb, port, pid, Path(sys.argv[4]), sys.argv[5:])
