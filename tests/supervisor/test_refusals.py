"""What stops a start is told in one sentence."""

import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.supervisor.service import Service, free_port, refusal

pytestmark = pytest.mark.server
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to prepare")


@pytest.fixture
def home() -> Iterator[Path]:
    """A place for a home that does not exist yet."""
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        yield Path(folder) / "home"


@pytest.mark.parametrize("shared", [False, True])
def test_a_port_in_use(home: Path, shared: bool) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(shared))
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        words = refusal(home, port)
    assert words.startswith(f"Port {port} on 127.0.0.1 is in use by another program")
    assert "\n" not in words
    assert not (home / "postgres").exists()


def test_a_port_that_is_no_port(home: Path) -> None:
    assert refusal(home, 70000) == "MNEME_PORT=70000 is not a port number."


def test_a_home_below_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    words = refusal(file / "home", free_port())
    assert words == f"Cannot use MNEME_HOME={file}/home: {file} is not a folder."


def test_a_home_that_may_not_be_written(home: Path) -> None:
    home.mkdir()
    prefix: list[str] = []
    if os.geteuid() == 0:  # without these two capabilities root is like anybody else
        prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
        prefix += ["--inh-caps=-dac_override,-dac_read_search"]
        os.chown(home, 65534, 65534)
    home.chmod(0o555)
    words = refusal(home, free_port(), *prefix)
    assert words == f"Cannot use MNEME_HOME={home}: Permission denied."


def test_data_of_another_major_version(home: Path) -> None:
    data = home / "postgres"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("16\n")
    words = refusal(home, free_port())
    assert words.startswith(f"{data} was made by PostgreSQL 16, this is PostgreSQL 18;")
    assert "\n" not in words


def test_a_second_start_in_the_same_home(running: Service) -> None:
    words = refusal(running.home, free_port())
    assert words == f"Mneme already runs in {running.home}; `make stop` ends it."


def test_the_port_of_another_running_service(running: Service, home: Path) -> None:
    words = refusal(home, running.port)
    assert f"Port {running.port} on 127.0.0.1 is in use" in words
    running.wait_answers()


@root_only
@pytest.mark.parametrize("megabytes", [8, 40])
def test_a_full_disk(home: Path, megabytes: int) -> None:
    home.mkdir()
    size = f"size={megabytes}m"
    mount = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(home)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let root mount a small disk")
    try:
        words = refusal(home, free_port())
    finally:
        subprocess.run(["umount", str(home)], check=True)
    assert f"The disk that holds {home}" in words
    assert words.endswith("is full.")
    assert "\n" not in words


def test_a_server_of_the_operator_that_does_not_answer(home: Path) -> None:
    url = f"postgresql://nobody@127.0.0.1:{free_port()}/nothing"
    words = refusal(home, free_port(), DATABASE_URL=url)
    assert words.startswith("The PostgreSQL server in DATABASE_URL does not answer:")
    assert "\n" not in words
