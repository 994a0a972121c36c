"""A hundred imports at once: each is answered, and memory does not grow with them."""

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.api.server import LiveServer
from tests.factories import make_token

pytestmark = [
    pytest.mark.long,
    pytest.mark.server,
    pytest.mark.django_db(transaction=True),
]
IMPORTS = 100
FEW, MANY = 32, 96
LONG = 64 * 1024
"""The second round sends 600 MB, 400 MB more than the first."""
MOST_GROWTH = 100 * 1024 * 1024


def test_a_hundred_imports_at_once_are_read_line_by_line():
    token = make_token(scopes=("import",), rate=1_000)
    server = LiveServer()
    try:
        before = _peak_of_a_round(server, token, lines=FEW)
        grown = _peak_of_a_round(server, token, lines=MANY) - before
    finally:
        server.stop()
    assert grown < MOST_GROWTH, grown


def _peak_of_a_round(server: LiveServer, token: str, *, lines: int) -> int:
    """Send a hundred files at once; return the most memory that was in use."""
    body = b"".join(_bad_line(number) for number in range(lines))
    peak = 0
    with ThreadPoolExecutor(IMPORTS) as pool:
        sent = [pool.submit(_import, server, token, body) for _ in range(IMPORTS)]
        while not all(one.done() for one in sent):
            peak = max(peak, _resident(server))
            time.sleep(0.02)
        answers = [one.result() for one in sent]
    taken = [told for status, told in answers if status == 200]
    assert taken and {told["quarantined_total"] for told in taken} == {lines}
    assert {status for status, _ in answers} <= {200, 503}  # 503: no free connection
    return max(peak, _resident(server))


def _bad_line(number: int) -> bytes:
    """A long line that is read whole and refused before anything is embedded."""
    return json.dumps({"no_such_field": f"{number} " + "x" * LONG}).encode() + b"\n"


def _import(server: LiveServer, token: str, body: bytes):
    wire = server.connect()
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/x-ndjson",
    }
    wire.timeout = 120
    try:
        wire.request("POST", "/v1/memory/import?dry_run=true", body, headers)
        answer = wire.getresponse()
        return answer.status, json.loads(answer.read())
    except OSError:
        return 503, {}  # it was refused before all was sent
    finally:
        wire.close()


def _resident(server: LiveServer) -> int:
    """Return the bytes that the server and its workers have in memory."""
    parents = {server.process.pid}
    found = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(folder.name) in parents or int(stat[1]) in parents:
                found += int((folder / "statm").read_text().split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found * os.sysconf("SC_PAGE_SIZE")
