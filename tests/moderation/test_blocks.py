"""Blocks of sources, agents and tokens; what was written is held or taken away."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core import jobs
from memory_core.actions import memories, reviews, sources
from memory_core.consolidation import purging
from memory_core.contracts.callers import Caller
from memory_core.contracts.enums import Status
from memory_core.contracts.memories import Draft
from memory_core.exceptions import SourceBlocked
from memory_core.models import (
    Agent,
    AuditEntry,
    Job,
    LegalHold,
    Memory,
    Source,
    Token,
    WriterBlock,
)
from memory_core.saving.vectors import ensure_model
from moderation import tasks as _registers  # noqa: F401
from moderation.actions import withdrawals
from moderation.presenters.sources import refused_writes
from tests.factories import make_caller
from tests.factories.world import BY

pytestmark = pytest.mark.django_db


@pytest.fixture
def crm() -> Caller:
    ensure_model()
    return make_caller("crm-agent", shared={"support": "rw"})


def save(
    by: Caller,
    content: str = "The gate opens at nine",
    source: str = "crm",
    category: str = "fact",
) -> Memory:
    draft = Draft(
        owner_id="lin",
        content=content,
        namespace="support",
        category=category,
        source_kind="tool_result",
        source_name=source,
    )
    saved = memories.remember(draft=draft, by=by)
    return Memory.unscoped.get(pk=saved.memory_id)


def status(memory: Memory) -> int:
    found: int = Memory.unscoped.values_list("status", flat=True).get(pk=memory.pk)
    return found


def work() -> None:
    while jobs.work(seconds=60):
        pass


def place_of(memory: Memory, kind: str = "source") -> str:
    pks = {
        "source": memory.source_id,
        "agent": memory.agent_id,
        "token": Token.objects.get(prefix=memory.token_prefix).pk,
    }
    return f"/blocks/{kind}/{pks[kind]}/"


@pytest.mark.parametrize("kind", ["source", "agent", "token"])
def test_a_block_takes_away_what_was_written_and_gives_it_back(signed_in, crm, kind):
    memory, client = save(crm), signed_in("moderator")
    place = place_of(memory, kind)
    page = client.get(place).content.decode()
    assert "What a block would touch" in page
    values = {"reason": "poisoned", "after": "take_away"}
    assert client.post(f"{place}place/", {**values, "typed": "7"}).status_code == 422
    assert status(memory) == Status.ACTIVE
    answer = client.post(f"{place}place/", {**values, "typed": "1"}, follow=True)
    assert "Take away" in answer.content.decode()
    work()
    assert status(memory) == Status.REJECTED
    with pytest.raises(SourceBlocked):
        save(crm, "The gate opens at ten")
    job = Job.objects.get(kind=withdrawals.KIND)
    assert (job.state, job.done, job.total, job.counts) == ("done", 1, 1, {"done": 1})
    client.post(f"/withdrawals/{job.pk}/give-back/")
    work()
    assert status(memory) == Status.PENDING
    page = client.get(f"/withdrawals/{job.pk}/").content.decode()
    assert "It is given back." in page
    assert "Blocked by operator:moderator" in client.get(place).content.decode()
    client.post(f"{place}lift/")
    assert save(crm, "The gate opens at ten").status == Status.ACTIVE
    actions = set(AuditEntry.objects.values_list("action", flat=True))
    assert {"writes.withdraw", "writes.give_back"} <= actions


def test_what_is_held_is_given_back_as_it_was_unless_decided_meanwhile(signed_in, crm):
    kept, faded = save(crm), save(crm, "The lift is in hall two")
    decided = save(crm, "Parking costs four euros")
    Memory.unscoped.filter(pk=faded.pk).update(
        status=Status.ARCHIVED, archived_at=timezone.now()
    )
    client, place = signed_in("moderator"), place_of(kept)
    client.post(f"{place}place/", {"reason": "untrue", "after": "hold"})
    work()
    assert {status(one) for one in (kept, faded, decided)} == {Status.PENDING}
    now = Memory.unscoped.get(pk=decided.pk)
    reviews.reject(
        by=BY,
        memory_id=decided.pk,
        expected_version=now.version,
        content_digest=bytes(now.content_digest).hex(),
        reason="untrue",
        now=timezone.now(),
    )
    job = Job.objects.get(kind=withdrawals.KIND)
    client.post(f"/withdrawals/{job.pk}/give-back/")
    work()
    assert status(kept) == Status.ACTIVE
    assert status(faded) == Status.ARCHIVED
    assert status(decided) == Status.REJECTED
    undone = Job.objects.exclude(pk=job.pk).get(kind=withdrawals.KIND)
    assert undone.counts == {"done": 2, "left": 1}


def test_what_the_blocked_had_replaced_is_current_again(signed_in, crm):
    told = save(crm, "I like blue", source="user-app", category="preference")
    other = save(crm, "I like black now, not blue", category="preference")
    Memory.unscoped.filter(pk=told.pk).update(
        status=Status.SUPERSEDED, superseded_by=other, until=timezone.now()
    )
    client, place = signed_in("moderator"), place_of(other)
    typed = {"reason": "poisoned", "after": "take_away", "typed": "1"}
    client.post(f"{place}place/", typed)
    work()
    assert (status(told), status(other)) == (Status.ACTIVE, Status.REJECTED)


def test_one_that_is_not_blocked_keeps_its_memories(signed_in, crm):
    memory = save(crm)
    answer = signed_in("moderator").post(
        f"{place_of(memory)}take_away/", {"typed": "1"}, follow=True
    )
    assert "Block it first." in answer.content.decode()
    assert not Job.objects.filter(kind=withdrawals.KIND).exists()
    work()
    assert status(memory) == Status.ACTIVE


def test_many_are_taken_away_by_somebody_else_than_who_blocked(
    monkeypatch, signed_in, crm
):
    monkeypatch.setattr(withdrawals, "ALONE", 0)
    memory, first = save(crm), signed_in("moderator")
    place = place_of(memory)
    values = {"reason": "poisoned", "after": "take_away", "typed": "1"}
    first.post(f"{place}place/", values)
    first.post(f"{place}take_away/", {"typed": "1"})
    work()
    assert status(memory) == Status.ACTIVE
    assert "another person" in first.get(place).content.decode()
    signed_in("lead").post(f"{place}take_away/", {"typed": "1"})
    work()
    assert status(memory) == Status.REJECTED


def test_a_moderator_who_is_none_any_more_takes_nothing_away(signed_in, crm, person):
    memory, client = save(crm), signed_in("moderator")
    values = {"reason": "poisoned", "after": "hold"}
    client.post(f"{place_of(memory)}place/", values)
    job = Job.objects.get(kind=withdrawals.KIND)
    auditor = person("auditor")
    Job.objects.filter(pk=job.pk).update(params={**job.params, "user": auditor.pk})
    work()
    job.refresh_from_db()
    assert (job.state, status(memory)) == ("failed", Status.ACTIVE)


def test_a_block_with_an_end_is_over_then(signed_in, crm):
    memory, client = save(crm), signed_in("moderator")
    agent = Agent.objects.get(pk=crm.agent_id)
    place = place_of(memory, "agent")
    values = {"reason": "retired", "after": "nothing", "until": "2020-01-01T00:00"}
    client.post(f"{place}place/", values)
    assert WriterBlock.objects.get(agent=agent).until is not None
    assert "Blocked by" not in client.get(place).content.decode()
    assert save(crm, "The gate opens at ten").status == Status.ACTIVE


def test_what_a_legal_hold_keeps_is_foreseen(signed_in, crm):
    memory = save(crm)
    LegalHold.objects.create(
        owner=memory.owner, reason="dispute", placed_by="x", placed_at=timezone.now()
    )
    answer = signed_in("moderator").get(place_of(memory))
    radius = answer.context["radius"]
    assert (radius.held, radius.taken_away, radius.kept_by_law) == (1, 1, 1)


def test_refused_writes_are_drawn_by_day(signed_in, crm):
    save(crm)
    source = Source.objects.get(name="crm")
    sources.block(source=source, by=BY, reason="poisoned")
    assert refused_writes(source, now=timezone.now()) is None
    for _ in range(2):
        with pytest.raises(SourceBlocked):
            save(crm, "The gate opens at ten")
    chart = refused_writes(source, now=timezone.now())
    assert chart is not None
    assert chart.rows[-1] == (f"{timezone.now():%Y-%m-%d}", "2")
    page = signed_in("moderator").get(f"/sources/{source.pk}/").content.decode()
    assert "Refused writes by day" in page


@pytest.mark.parametrize(
    ("page", "other", "host"),
    [
        ("https://evil.example/a/b", "http://files.evil.example/x", "evil.example"),
        ("http://203.0.113.7/a", "http://203.0.113.7:8080/b", "203.0.113.7"),
    ],
)
def test_one_page_of_a_host_leads_to_a_block_of_all_of_it(
    signed_in, crm, page, other, host
):
    memory, client = save(crm, source=page), signed_in("moderator")
    elsewhere = save(crm, "The lamp is green", source=other)
    narrow = f"/blocks/source/{memory.source_id}/"
    assert f"Look at all of {host}" in client.get(narrow).content.decode()
    led = client.post(f"{narrow}host/")
    assert client.post(f"{narrow}host/")["Location"] == led["Location"]
    wide = client.get(led["Location"]).content.decode()
    assert "Look at all of" not in wide
    client.post(f"{led['Location']}place/", {"reason": "poisoned", "after": "nothing"})
    for name in (page, other, f"https://{host}/new"):
        with pytest.raises(SourceBlocked):
            save(crm, "The door is blue", source=name)
    save(crm, "The door is red", source="https://good.example/a")
    client.post(f"{led['Location']}lift/")
    assert save(crm, "The door is blue", source=other).source_id == elsewhere.source_id


@pytest.mark.parametrize("name", ["crm", "crm/export", "evil.example"])
def test_what_is_no_page_of_a_host_has_no_wider_block(signed_in, crm, name):
    memory, client = save(crm, source=name), signed_in("moderator")
    narrow = f"/blocks/source/{memory.source_id}/"
    assert "Look at all of" not in client.get(narrow).content.decode()
    assert client.post(f"{narrow}host/").status_code == 404


def test_the_page_tells_after_how_many_days_what_is_taken_away_is_deleted(
    monkeypatch, signed_in, crm
):
    monkeypatch.setattr(purging, "REJECTED_KEPT", timedelta(days=30))
    memory, client = save(crm), signed_in("moderator")
    page = client.get(place_of(memory)).content.decode()
    assert page.count("deleted after 30 days") == 2
    client.post(f"{place_of(memory)}place/", {"reason": "untrue", "after": "nothing"})
    page = client.get(place_of(memory)).content.decode()
    assert page.count("deleted after 30 days") == 2
    assert "14 days" not in page
