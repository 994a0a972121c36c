"""Homes and running services for the supervisor's tests."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.supervisor.service import Service


@pytest.fixture(scope="session")
def places() -> Iterator[Path]:
    """A folder for homes, as a person would choose it: closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="mneme homes "))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def used_home(places: Path) -> Path:
    """A home in which the service has run once and was stopped by Ctrl-C."""
    service = Service(places / "used")
    try:
        service.wait_running()
    finally:
        code = service.end()
    assert code == 0, service.said()
    return service.home


@pytest.fixture
def copied_home(used_home: Path, tmp_path: Path, places: Path) -> Path:
    """A home of one test's own, with the data of the used one."""
    return _copy(used_home, places / tmp_path.name)


def _copy(home: Path, target: Path) -> Path:
    subprocess.run(["cp", "-a", str(home), str(target)], check=True)
    return target


@pytest.fixture
def start() -> Iterator[Callable[..., Service]]:
    """Start services that are ended with the test."""
    services: list[Service] = []

    def run(home: Path, **options: str) -> Service:
        services.append(Service(home, **options))
        return services[-1].wait_running()

    yield run
    for service in services:
        service.end()


@pytest.fixture(scope="module")
def running(
    used_home: Path, places: Path, request: pytest.FixtureRequest
) -> Iterator[Service]:
    """A running service that the tests of one module share."""
    service = Service(_copy(used_home, places / request.node.name.replace("/", " ")))
    yield service.wait_running()
    service.end()
