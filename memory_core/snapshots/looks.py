"""Cached previews of an uploaded file, so that it is read once.

It lies in the folder of the job and goes with it; what is said anew about the file
makes another look.
"""

import json
from collections.abc import Callable
from typing import Any

from memory_core.models import Job
from memory_core.snapshots.keeping import write
from memory_core.snapshots.uploads import folder_of


def remembered(job: Job, name: str, about: object, look: Callable[[], Any]) -> Any:
    """Return what `look` returns, a value for JSON, as it was seen the first time.

    `about` is what the look depends on, a value for JSON too. Looks under one name
    take each other's place.
    """
    path = folder_of(job.pk) / f"look-{name}.json"
    asked = json.dumps(about, sort_keys=True)
    try:
        kept = json.loads(path.read_text())
    except FileNotFoundError:
        kept = {}
    if kept.get("about") == asked:
        return kept["seen"]
    seen = json.loads(json.dumps(look()))
    if path.parent.is_dir():  # it may have been given up meanwhile
        write(path, iter([json.dumps({"about": asked, "seen": seen}).encode()]))
    return seen
