"""Complete is said only when code that knows no eraser finds nothing."""

import pytest
from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from memory_core import isolation, valkey
from memory_core.actions import erasure
from memory_core.contracts.erasure import (
    Holds,
    Residue,
    RunState,
    Step,
    StoreCount,
    Subject,
)
from memory_core.erasure import discovery, verification
from memory_core.erasure.stores.tables import Table
from memory_core.models import Memory, Namespace, Owner, Source
from tests.erasure.conftest import (
    NAME,
    OTHER,
    SUBJECT,
    begin,
    work,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def subject(person):
    """The person, with the row ids of their owners."""
    return discovery.located(SUBJECT)


def left(subject, probe):
    """What one probe finds, by store."""
    found = verification.verify(subject, Holds())
    return {one.store: one.count for one in found if one.probe == probe and one.count}


def test_each_probe_finds_a_person_who_was_not_erased(subject):
    assert left(subject, "key")["memory_core.memory"] == 2
    assert left(subject, "text")["memory_core.memory"] == 2
    assert left(subject, "recall")["memories"] >= 1
    assert left(subject, "neighbourhood") == {"vectors": 2}
    assert left(subject, "valkey")["keys"] >= 2


def test_no_probe_finds_anybody_else(subject, say):
    work(begin())
    say("The neighbour likes coffee", OTHER)
    found = verification.verify(subject, Holds())
    assert {one.probe for one in found} == set(verification.PROBES)
    assert all(one.count == 0 for one in found)


def test_an_eraser_that_lies_is_found_out(person, monkeypatch):
    """It says that it did everything and that nothing is left."""
    nobody = Subject(())
    blind = {"recall_events": Table}
    for kind in set(blind.values()):
        for verb in ("erase", "count"):
            monkeypatch.setattr(kind, verb, _blind(getattr(kind, verb), blind, nobody))
    ref = begin()
    assert work(ref).state == RunState.RESIDUAL_FOUND
    view = erasure.state(run=ref)
    assert all(one.residue == 0 for one in view.passes)
    found = [one for one in view.probes if one.count]
    assert found == [Residue("key", "memory_core.recallevent", 1)]
    monkeypatch.undo()
    assert work(ref).state == RunState.LIVE_ERASED


def _blind(act, stores, nobody):
    """The eraser's method, which sees nobody in these stores."""

    def method(self, subject, holds):
        return act(self, nobody if self.store in stores else subject, holds)

    return method


def test_what_comes_back_after_some_rounds_is_a_failure(person, monkeypatch):
    monkeypatch.setattr(Table, "erase", lambda self, subject, holds: Step())
    monkeypatch.setattr(Table, "count", lambda *given: StoreCount("x", 0, 0))
    ref = begin()
    states = [work(ref).state for _ in range(8)]
    assert states[-1] == RunState.FAILED
    assert erasure.state(run=ref).live_erased_at is None


def test_an_owner_who_is_the_person_under_another_id_is_found(person, say):
    Owner.objects.create(external_id="Weilong.Zhang+x@example.org")
    ref = begin()
    assert work(ref).state == RunState.RESIDUAL_FOUND
    found = {(one.probe, one.store) for one in erasure.state(run=ref).probes}
    assert ("digest", "memory_core.owner") in found


def test_a_text_in_any_column_is_found(subject):
    work(begin())
    Source.objects.create(
        namespace=Namespace.objects.get(name="shop"),
        kind="tool_result",
        name=f"notes of {NAME}",
        key="notes",
        created_at=timezone.now(),
    )
    assert left(subject, "text") == {"memory_core.source": 1}


def test_a_name_in_a_file_is_found(subject, settings):
    work(begin())
    settings.SNAPSHOT_DIR.mkdir(exist_ok=True)
    (settings.SNAPSHOT_DIR / "notes.txt").write_text(f"call {NAME}\n")
    assert left(subject, "files") == {"snapshots": 1}


@pytest.mark.parametrize("kind", ["string", "list", "set", "zset", "hash"])
def test_a_name_under_any_key_of_valkey_is_found(subject, kind):
    work(begin())
    client = valkey.client()
    put = {
        "string": lambda: client.set("x", NAME),
        "list": lambda: client.rpush("x", NAME),
        "set": lambda: client.sadd("x", NAME),
        "zset": lambda: client.zadd("x", {NAME: 1.0}),
        "hash": lambda: client.hset("x", "field", NAME),
    }
    put[kind]()
    assert left(subject, "valkey") == {"keys": 1}


def test_the_verifier_may_write_nothing(person):
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        isolation.verifier_transaction(),
    ):
        Memory.unscoped.all().delete()
    assert Memory.unscoped.count() == 2


def test_the_verifier_knows_no_store():
    """What proves must not share code with what erases."""
    folder = settings.BASE_DIR / "memory_core" / "erasure" / "verification"
    texts = [path.read_text() for path in folder.glob("*.py")]
    assert len(texts) > 3
    assert not any("erasure.stores" in text for text in texts)
    assert not any("import erasers" in text for text in texts)


def test_without_valkey_nothing_is_complete(person, monkeypatch):
    def down(*given, **options):
        raise valkey.Unavailable

    ref = begin()
    monkeypatch.setattr(valkey, "client", down)
    assert work(ref).state == RunState.FENCED
    monkeypatch.undo()
    assert work(ref).state == RunState.LIVE_ERASED
