"""Losing the database loses no memory."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import ProgrammingError
from django.utils import timezone

from memory_core import isolation
from memory_core.actions import access, changes, copies, sources
from memory_core.actions.recall import recall
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.erasure import Holds, Subject, Treatment
from memory_core.contracts.recall import RecallQuery
from memory_core.keys import data as keys
from memory_core.models import (
    Agent,
    ColdWrite,
    Copy,
    Grant,
    MemoryUse,
    MemoryVersion,
    Namespace,
    Source,
    Tombstone,
)
from memory_core.saving import gates, storage
from memory_core.snapshots.cold import erasing
from memory_core.snapshots.cold.folder import file_of, files, lines_of
from tests.factories import make_caller
from tests.snapshots.cold.conftest import lose_everything
from tests.snapshots.conftest import OWNER, rows

pytestmark = pytest.mark.django_db

NOT_COMPARED = {"namespace_id", "owner_id", "source_id", "agent_id", "_state"}


@pytest.fixture
def filled(say, here):
    """Memories in several states, with an update, a successor and one that waits."""
    say("供应商是华为", category="fact", session_id="s1", position=4)
    say("供应商换成了中兴", category="fact")
    task = say(
        "Send the report",
        category="task",
        expire_at=timezone.now() + timedelta(days=3),
        tags=("work",),
        entities=("report",),
        external_id="crm-17",
        importance=0.9,
        metadata={"a": [1, None]},
    )
    changes.correct(
        by=here,
        scope=access.read_scope(here, OWNER),
        memory_id=task,
        changes={"content": "Send both reports"},
    )
    say("I like blue", owner_id="somebody")
    return rows()


def comparable(memory):
    return {k: v for k, v in vars(memory).items() if k not in NOT_COMPARED}


def uses():
    fields = ("memory_id", "base_score", "last_accessed_at", "access_count")
    return list(MemoryUse.objects.order_by("memory_id").values_list(*fields))


def test_a_lost_database_comes_back_as_it_was(filled, here, drain):
    filled[0].reviewed_at, filled[0].reviewed_by = timezone.now(), "operator:lin"
    filled[0].save()
    before = [comparable(one) for one in rows()]
    used = uses()
    versions = list(MemoryVersion.objects.values_list("memory_id", "content"))
    drain()
    lose_everything()
    assert not rows()
    done = copies.replay(by=SYSTEM)
    assert (done.added, done.known, done.unreadable) == (len(filled), 0, 0)
    assert [comparable(one) for one in rows()] == before
    assert uses() == used
    assert list(MemoryVersion.objects.values_list("memory_id", "content")) == versions
    assert copies.replay(by=SYSTEM).known == len(filled)


def test_what_it_says_is_found_again_by_meaning(filled, here, drain):
    drain()
    lose_everything()
    copies.replay(by=SYSTEM)
    agent = Agent.objects.get(name="here")
    assert agent.namespace.name == "agent:here"
    grant = Grant.objects.get(agent=agent)
    assert (grant.namespace.name, grant.can_write) == ("shop", True)
    again = make_caller("reader", namespace="shop", shared={"shop": "rw"})
    query = RecallQuery(owner_id=OWNER, query="供应商是谁")
    found = recall(by=again, query=query)
    assert found.hits[0].memory.content == "供应商换成了中兴"


def test_a_change_and_a_deletion_arrive(say, here, drain):
    kept = say("I like blue", external_id="a")
    gone = say("I like tea", external_id="b")
    drain()
    scope = access.read_scope(here, OWNER)
    changes.correct(
        by=here, scope=scope, memory_id=kept, changes={"content": "I like green"}
    )
    storage.remove([gone])
    assert drain() > 0
    contents = [json.loads(line)["content"] for line in lines_of(OWNER)]
    assert contents == ["I like green"]
    lose_everything()
    assert copies.replay(by=SYSTEM).added == 1
    assert [m.content for m in rows()] == ["I like green"]


def test_the_last_memory_takes_the_file_along(say, drain):
    gone = say("I like tea")
    drain()
    assert file_of(OWNER).exists()
    storage.remove([gone])
    drain()
    assert not file_of(OWNER).exists()


def test_nothing_can_be_read_without_the_keys(say, folder, drain):
    say("I like blue", metadata={"colour": "azure"})
    drain()
    raw = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert all(word not in raw for word in (b"blue", b"azure", OWNER.encode()))
    [path] = files(folder)
    assert path.stat().st_mode & 0o077 == 0


def test_a_cut_line_costs_only_itself(say, drain):
    say("I like blue")
    drain()
    path = file_of(OWNER)
    with path.open("ab") as file:
        file.write(b'{"kind":"mneme.sealed","memory_id":"0')
    say("I like tea")
    drain()
    contents = {json.loads(line)["content"] for line in lines_of(OWNER)}
    assert contents == {"I like blue", "I like tea"}


def test_a_file_does_not_pile_up_what_was_replaced(say, drain, monkeypatch):
    monkeypatch.setattr("memory_core.snapshots.cold.folder.SMALL", 1_000)
    for n in range(30):
        say(f"I have {n} cats", external_id="cats")
        drain()
    path = file_of(OWNER)
    size = path.stat().st_size
    assert path.read_bytes().count(b"mneme.sealed") < 10
    assert size < 12_000


def test_a_worker_that_dies_loses_nothing(say, drain, monkeypatch):
    say("I like blue")

    def dies(paths):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("memory_core.snapshots.cold.folder.settle", dies)
        with pytest.raises(SystemExit):
            drain()
    assert ColdWrite.objects.count() > 0
    drain()
    assert not ColdWrite.objects.exists()
    assert len(list(lines_of(OWNER))) == 1


def test_an_erased_owner_leaves_and_does_not_come_back(say, here, drain):
    say("I like blue")
    drain()
    say("I like tea")  # on its way when the erasure begins
    assert erasing.remove_owner(OWNER) == 1
    keys.destroy(keys.of_owner(OWNER))
    try:
        drain()
        assert erasing.memories_of(OWNER) == 0
    finally:
        keys.renew(keys.of_owner(OWNER))


def test_a_tombstone_stands_against_a_replay(say, drain):
    say("I like blue")
    say("I like tea", owner_id="somebody")
    drain()
    lose_everything()
    Tombstone.objects.create(
        digest=gates.owner_digests(OWNER)[0], key_id="1", fenced_at=timezone.now()
    )
    done = copies.replay(by=SYSTEM)
    assert (done.erased, done.added) == (1, 1)
    assert [m.content for m in rows()] == ["I like tea"]


def test_blocks_and_trust_come_back(say, here, drain):
    say("The shop opens at nine", source_kind="tool_result", source_name="web.example")
    row = Source.objects.get(key="web.example")
    sources.block(source=row, by=SYSTEM, reason="poisoning", now=timezone.now())
    space = Namespace.objects.get(name="shop")
    Namespace.objects.filter(pk=space.pk).update(hold_inferences="all")
    drain()
    lose_everything()
    copies.replay(by=SYSTEM)
    assert Source.objects.get(key="web.example").blocked_at
    assert Namespace.objects.get(name="shop").hold_inferences == "all"


def test_policies_come_back_to_what_a_first_start_has_made_already(say, drain):
    say("I like tea")
    policy = {
        "hold_inferences": "all",
        "review_share": 0.5,
        "agent_review": "none",
        "second_review": ["permanent"],
        "secrets": "refuse",
        "rate": 7,
    }
    shop = Namespace.objects.filter(name="shop")
    shop.update(**policy)
    home = Agent.objects.select_related("namespace").first()
    Agent.objects.filter(pk=home.pk).update(disabled_at=timezone.now())
    drain()
    lose_everything()
    space = Namespace.objects.create(name=home.namespace.name, kind="private")
    Agent.objects.create(name=home.name, namespace=space)
    Namespace.objects.get_or_create(name="shop", defaults={"kind": "shared"})
    copies.replay(by=SYSTEM)
    assert shop.values(*policy).get() == policy
    assert Agent.objects.get(name=home.name).disabled_at


def test_a_new_database_does_not_overwrite_what_the_lost_one_has_left(say, drain):
    say("The shop opens at nine", source_kind="tool_result", source_name="web.example")
    row = Source.objects.get(key="web.example")
    sources.block(source=row, by=SYSTEM, reason="poisoning", now=timezone.now())
    drain()
    lose_everything()
    drain()  # the new one's first
    drain()
    assert copies.replay(by=SYSTEM).added == 1
    assert Namespace.objects.filter(name="shop").exists()
    assert Source.objects.get(key="web.example").blocked_at


def test_the_catalogue_tells_of_when_it_is(say, drain):
    say("I like blue")
    before = timezone.now()
    drain()
    assert Copy.objects.get(kind="cold").taken_at >= before


def test_commands_copy_show_and_replay(say, drain, capsys):
    say("I like blue")
    call_command("cold", "copy", "--json")
    assert json.loads(capsys.readouterr().out)["copied"] == 1
    call_command("cold", "copy", "--all", "--json")
    assert json.loads(capsys.readouterr().out)["copied"] == 1
    lose_everything()
    call_command("cold", "replay", "--json")
    assert json.loads(capsys.readouterr().out)["added"] == 1


def test_a_memory_of_before_the_cold_copy_is_in_it_too(say, drain, folder):
    say("I like blue")
    ColdWrite.objects.all().delete()
    copies.carry_over(by=SYSTEM, everything=True)
    assert len(files(folder)) == 1


def test_agents_cannot_read_what_waits(say, here):
    say("I like blue")
    with pytest.raises(ProgrammingError), isolation.agent_transaction():
        ColdWrite.objects.count()


def test_the_eraser_keeps_the_file_of_a_held_owner(say, drain):
    say("I like blue")
    drain()
    [owner] = {one.owner_id for one in rows()}
    subject = Subject(owner_ids=(OWNER,), rows=(owner,))
    eraser, held = erasing.ColdCopyEraser(), Holds(owners=(owner,))
    assert eraser.count(subject, held).keep == 1
    assert eraser.erase(subject, held).held == 1
    assert eraser.residue(subject, held) == 0
    assert eraser.erase(subject, Holds()).erased == 1
    assert eraser.residue(subject, Holds()) == 0
    assert not file_of(OWNER).exists()


def test_a_blackened_text_leaves_the_copy(say, here, drain):
    memory_id = say("I like blue and Li Lei", owner_id="somebody")
    drain()
    changes.correct(
        by=here,
        scope=access.read_scope(here, "somebody"),
        memory_id=memory_id,
        changes={"content": "I like blue and ***"},
    )
    drain()
    assert file_of("somebody").read_bytes().count(b"mneme.sealed") == 2
    subject = Subject(owner_ids=(OWNER,), mentions={memory_id: Treatment.REDACT})
    erasing.ColdCopyEraser().erase(subject, Holds())
    assert file_of("somebody").read_bytes().count(b"mneme.sealed") == 1
