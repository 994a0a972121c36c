"""A person's words, brought in every way there is, are nowhere after an erasure.

On the real service: what is looked through is a dump of the database, Valkey's files,
and every file of the home, the logs among them.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memory_core.config.embedded import postgres
from memory_core.config.embedded.home import Home
from tests.service.agent import Agent
from tests.supervisor.service import PROJECT, environment

pytestmark = pytest.mark.server

OWNER = "tannenwald-5519"
NAME = "Yorick Tannenwald"
MAIL = "yorick.t@quittenhof.example"
PHONE = "13855195519"
WORDS = ["Quittenlikoer", "Birnenkompott", "Mirabellenbaum", "Schlehenhecke"]
CHINESE = "葡萄藤与无花果"
PURGED = """
import time
import django; django.setup()
from memory_core.models import ErasureRun
runs = ErasureRun.objects.filter(is_canary=False, state="live_erased")
end = time.monotonic() + 120
while not runs.filter(index_purged_at__isnull=False).exists():
    assert time.monotonic() < end
    time.sleep(0.5)
"""
PREPARED = """
import django; django.setup()
from django.contrib.auth.models import Group, User
from django.utils import timezone
from memory_core.snapshots import keeping
keeping.take(now=timezone.now())
group, _ = Group.objects.get_or_create(name="compliance")
for name in ("lin", "amara"):
    User.objects.create_user(name).groups.add(group)
"""


def test_a_person_is_nowhere_any_more(copied_home, start):
    service = start(copied_home)
    agent = Agent(service)
    bring_in(agent)
    python(copied_home, "-c", PREPARED)
    assert found_in(copied_home), "the test would prove nothing"
    done = json.loads(
        manage(
            copied_home, "erasure", "run", "--owner", OWNER, "--name", NAME,
            "--email", MAIL, "--phone", PHONE, "--ground", "17-1-b",
            "--by", "lin", "--approve-by", "amara", "--redact-mentions", "--json",
        )
    )  # fmt: skip
    assert (done["residue"], done["held"], done["error"]) == (0, 0, ""), done
    assert agent.save("And again", owner=OWNER).status_code == 410
    assert agent.recall("What grows there?", owner=OWNER).json()["memories"] == []
    python(copied_home, "-c", PURGED)
    assert found_in(copied_home) == {}
    assert found_in_dump(copied_home) == []
    others = agent.client.get(agent.base, params={"owner_id": "neighbour-2"}).json()
    agent.client.close()
    told = [one["content"] for one in others["memories"]]
    assert told == ["Our neighbour [redacted] is at [redacted]"]
    assert json.loads(manage(copied_home, "audit", "verify", "--json"))["intact"]


def bring_in(agent: Agent) -> None:
    """Say something of the person in every way that the API has."""
    said = f"I am {NAME}, write to {MAIL}"
    first = agent.save(said, owner=OWNER, key=f"key-of-{OWNER}").json()["memory_id"]
    agent.save(f"我最喜欢{CHINESE}", owner=OWNER)
    agent.save(f"Our neighbour {NAME} is at {PHONE}", owner="neighbour-2")
    one = {"owner_id": OWNER, "content": f"The {WORDS[0]} is made at home"}
    assert agent.post("save/batch", items=[one]).status_code == 200
    line = {**one, "content": f"{WORDS[1]} for breakfast", "source": {"kind": "import"}}
    bad = {**one, "content": "", "tags": [WORDS[2]]}
    lines = "\n".join(json.dumps(row) for row in (line, bad))
    answer = agent.client.post(
        f"{agent.base}/import",
        content=lines,
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert answer.status_code == 200, answer.text
    session = agent.base.replace("/memory", "/sessions/s-9")
    text = f"Remember that the {WORDS[3]} is cut in March"
    put = agent.client.put(
        f"{session}/messages",
        json={"owner_id": OWNER, "messages": [{"role": "user", "content": text}]},
    )
    assert put.status_code == 200, put.text
    recalled = agent.recall(f"{WORDS[0]} of {NAME}", owner=OWNER)
    assert recalled.status_code == 200
    given = agent.post(
        "feedback",
        owner_id=OWNER,
        memory_id=first,
        verdict="useful",
        note=f"{NAME} agreed",
    )
    assert given.status_code < 300, given.text


def python(home: Path, *words: str) -> str:
    """Return what a piece of code in this home printed."""
    more = {"DJANGO_SETTINGS_MODULE": "memory_core.config.settings"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=PROJECT,
        env=environment(home, 0, **more),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def manage(home: Path, *words: str) -> str:
    """Return what a management command printed."""
    return python(home, "manage.py", *words)


def forms() -> list[bytes]:
    """The person's words as files may have them."""
    words = [OWNER, NAME, MAIL, PHONE, CHINESE, *WORDS]
    escaped = [json.dumps(word)[1:-1] for word in words]
    return sorted({word.encode() for word in (*words, *escaped)})


def found_in(home: Path) -> dict[str, list[bytes]]:
    """Where the person's words stand, by file of the home."""
    found = {}
    for path in sorted(home.rglob("*")):
        inside = path.relative_to(home).parts
        if path.is_file() and inside[0] not in ("postgres", "sockets"):
            text = path.read_bytes()
            if words := [form for form in forms() if form in text]:
                found["/".join(inside)] = words
    return found


def found_in_dump(home: Path) -> list[bytes]:
    """Which of the person's words stand in a dump of the whole database."""
    dump = subprocess.run(
        [str(postgres.programs() / "pg_dump"), postgres.url(Home(home))],
        capture_output=True,
        check=True,
    ).stdout
    assert b"memory_core_memory" in dump
    return [form for form in forms() if form in dump]
