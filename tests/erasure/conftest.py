"""A person with data in every store, and what it takes to erase them."""

import time

import pytest
from django.utils import timezone

from memory_core.actions import access, erasure, feedback, memories, recall, sessions
from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import Identifier, IdentifierKind, Subject
from memory_core.contracts.memories import Draft
from memory_core.contracts.recall import RecallQuery
from memory_core.erasure import running
from memory_core.models import ErasureRun
from memory_core.recall import flushing
from memory_core.saving import lookups, vectors
from tests.factories import make_caller

PERSON = "zhangwei-7731"
NAME = "Zhang Weilong"
MAIL = "weilong.zhang@example.org"
PHONE = "+86 139 1234 5678"
OTHER = "neighbour-9"
BY = Actor("operator:anna")
SUBJECT = Subject(
    (PERSON,),
    (
        Identifier(IdentifierKind.NAME, NAME),
        Identifier(IdentifierKind.EMAIL, MAIL),
        Identifier(IdentifierKind.PHONE, PHONE),
    ),
)


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    """Files and the ledger of this test alone."""
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    settings.LEDGER_DIR = tmp_path / "ledger"
    settings.COLD_DIR = tmp_path / "cold"
    settings.AUDIT_DIR = tmp_path / "audit"


@pytest.fixture(autouse=True)
def _fresh_lookups():
    lookups.forget()
    vectors.forget()
    yield
    lookups.forget()
    vectors.forget()


@pytest.fixture
def voice(db):
    """A caller who may say that a user said something, in the namespace `shop`."""
    vectors.ensure_model()
    return make_caller("voice", namespace="shop", shared={"shop": "rw"})


@pytest.fixture
def say(voice):
    """Save a statement of an owner."""

    def say(content, owner_id=PERSON, **fields):
        values = {"category": "fact", "source_kind": "user_input", "namespace": ""}
        draft = Draft(owner_id=owner_id, content=content, **(values | fields))
        return memories.remember(draft=draft, by=voice).memory_id

    return say


@pytest.fixture
def person(voice, say):
    """The person, with something in every store of the core."""
    first = say(f"I am {NAME} and like green tea", source_name=NAME)
    say(f"Write to {MAIL} or call 139-1234-5678")
    sessions.put(
        by=voice,
        owner_id=PERSON,
        session_id="s-1",
        messages=[("user", f"Remember that {NAME} is allergic to peanuts")],
    )
    scope = access.read_scope(voice, PERSON)
    ask(voice, "what does the user like?")
    flushing.flush()
    feedback.give(
        by=voice, scope=scope, memory_id=first, verdict="useful", note="about tea"
    )
    return scope.owner


def ask(by, query, owner_id=PERSON):
    """Recall as an agent does."""
    return recall.recall(by=by, query=RecallQuery(owner_id=owner_id, query=query))


def begin(subject=SUBJECT, **options):
    """Fence the person off; return the run's ref."""
    values = {
        "case_ref": "ER-TEST01",
        "ground": "17(1)(b)",
        "prepared_by": "7",
        "approved_by": "8",
        "by": BY,
    }
    return erasure.start(subject=subject, **(values | options))


def settled(ref):
    """Return the run as if other processes had had their time and it need not wait."""
    run = ErasureRun.objects.get(ref=ref)
    earlier = timezone.now() - running.SETTLING
    ErasureRun.objects.filter(pk=run.pk).update(
        fenced_at=min(run.fenced_at, earlier), retry_at=None
    )
    return run


def work(ref, *, seconds=30.0):
    """Work on a run as the background does, without its waits, until it has to rest."""
    run = settled(ref)
    end = time.monotonic() + seconds
    while running.could_go_on(run := running.work(run.pk, until=end)):
        assert time.monotonic() < end, run.state
    return run
