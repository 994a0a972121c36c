"""Files that people brought to be imported, and notes of imports that were cut off.

Another system's file cannot be rewritten without a person; one that names them goes
whole, with its job, and has to be brought again without them.
"""

import re
import shutil
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from io import TextIOWrapper
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from memory_core import jobs
from memory_core.contracts.enums import JobState
from memory_core.contracts.erasure import Holds, Stage, Step, StoreCount, Subject
from memory_core.erasure.patterns import pattern_of_all
from memory_core.models import Job
from memory_core.snapshots import uploads

OTHERS = ("gb18030", "big5", "latin-1")
"""What files are in that are neither UTF-8 nor marked."""
REPLACED = "\N{REPLACEMENT CHARACTER}"


class Uploads:
    """Folders of uploads and of interrupted imports in which the person is named."""

    store = "uploads"
    stage = Stage.FILES
    covers: tuple[str, ...] = ()

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are."""
        found = len(_folders(subject))
        return StoreCount(self.store, found, found)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Stop their imports and delete them."""
        folders = _folders(subject)
        for folder in folders:
            _open_jobs(folder).update(state=JobState.CANCELLED)
            shutil.rmtree(folder, ignore_errors=True)
        return Step(erased=len(folders))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left."""
        return len(_folders(subject))

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing: what came in from them is in the other stores."""
        yield from ()


def _folders(subject: Subject) -> list[Path]:
    home = Path(settings.HOME)
    folders = [*home.glob("uploads/*"), *home.glob("imports/*")]
    # An owner id that is too short to be looked for in texts is a value of its own.
    exact = [f'"{re.escape(one)}"' for one in subject.owner_ids]
    patterns = [one for one in (pattern_of_all(subject.names), *exact) if one]
    wanted = re.compile("|".join(patterns), re.IGNORECASE)
    return [folder for folder in folders if patterns and _names(folder, wanted)]


def _names(folder: Path, wanted: "re.Pattern[str]") -> bool:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return any(_file_names(path, wanted) for path in paths)


def _file_names(path: Path, wanted: "re.Pattern[str]") -> bool:
    """Look at each line as it stands, and with its JSON escapes undone."""
    try:
        with path.open("rb") as file:
            is_wide = file.read(2) in (BOM_UTF16_LE, BOM_UTF16_BE)
            file.seek(0)
            lines = TextIOWrapper(file, "utf-16", "replace") if is_wide else file
            return any(wanted.search(text) for line in lines for text in _texts(line))
    except FileNotFoundError:
        return False


def _texts(line: str | bytes) -> Iterator[str]:
    """Yield a line as it may be meant: nobody may have said yet how it is encoded."""
    text = line if isinstance(line, str) else line.decode("utf-8", "replace")
    yield text
    if "\\u" in text:
        yield re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)
    if isinstance(line, bytes) and REPLACED in text:
        for encoding in OTHERS:
            yield line.decode(encoding, "replace")


def _open_jobs(folder: Path) -> "QuerySet[Job]":
    rows = Job.objects.filter(kind=uploads.KIND, state__in=jobs.OPEN)
    if folder.parent.name != "uploads":
        return rows.none()
    return rows.filter(pk=folder.name)
