"""Key files of one installation, kept outside the database (mode 600)."""

import os
import secrets
from pathlib import Path


def load_or_create(folder: Path, name: str) -> bytes:
    """Return the 32-byte key in `folder/name`, making it on first use.

    Two processes that start together get the same key: the file is written aside
    and linked into place, and whoever comes second reads the first one's.
    """
    path = folder / name
    if path.exists():
        return bytes.fromhex(path.read_text().strip())
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = folder / f".{name}.{os.getpid()}.{secrets.token_hex(4)}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(32))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return bytes.fromhex(path.read_text().strip())
