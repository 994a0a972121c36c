"""What a blocked source, agent or token sends is neither stored nor changed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core.actions import changes, sources, writer_blocks
from memory_core.actions.reach import reach_of
from memory_core.contracts.callers import Scope
from memory_core.exceptions import (
    SourceBlocked,
    TransitionRefused,
)
from memory_core.models import (
    Agent,
    AuditEntry,
    Memory,
    Source,
    Token,
    WriterBlock,
)
from tests.factories.world import BY
from tests.saving.conftest import OWNER, refusals, row

pytestmark = pytest.mark.django_db

SPELLINGS = [
    "https://www.evil.com/news",
    "evil[.]com",
    "feeds.evil.com/a/b",
    "http://evil.com:8080/x?y=1",
    "\u0435vil.com",
]


def block(name, **fields):
    Source.objects.filter(name=name).update(
        blocked_at=timezone.now(), blocked_by="operator:lin", **fields
    )


def test_a_blocked_source_writes_nothing(say, tool):
    say("The sky is blue", source_kind="tool_result", source_name="Web", by=tool)
    block("Web")
    for alias in ["web", "ＷＥＢ ", "w\u200beb"]:
        with pytest.raises(SourceBlocked):
            say("x", source_kind="tool_result", source_name=alias, by=tool)
    assert Memory.unscoped.count() == 1
    assert Source.objects.get(name="Web").refused_writes == 3
    assert refusals().count() == 3


def test_a_blocked_machine_cannot_come_back_under_another_kind(say, tool):
    say("The sky is blue", source_kind="tool_result", source_name="web", by=tool)
    block("web")
    for kind in ("inference", "import", "user_input"):
        with pytest.raises(SourceBlocked):
            say("x", source_kind=kind, source_name="web", by=tool)


def test_a_blocked_machine_does_not_silence_the_user_of_that_name(say, tool):
    say("Likes tea", source_kind="inference", source_name="小明", by=tool)
    block("小明")
    assert say("I like tea", source_name="小明").status == "active"


def test_a_block_ends_with_its_time_and_stays_in_its_namespace(say, tool):
    say("a b c", source_kind="tool_result", source_name="web", by=tool)
    block("web")
    elsewhere = {"source_name": "web", "by": tool, "namespace": "agent:tool"}
    assert say("x", source_kind="tool_result", **elsewhere).event == "added"
    block("web", blocked_until=timezone.now() - timedelta(seconds=1))
    again = say("x", source_kind="tool_result", source_name="web", by=tool)
    assert again.event == "added"


def test_an_update_by_a_blocked_source_is_refused(say, tool, scope_of):
    saved = say("a b c", source_kind="tool_result", source_name="web", by=tool)
    block("web")
    with pytest.raises(SourceBlocked):
        changes.correct(
            by=tool,
            scope=scope_of(tool),
            memory_id=saved.memory_id,
            changes={"content": "d e f"},
        )
    assert row(saved).content == "a b c"
    assert AuditEntry.objects.filter(action="memory.update", outcome="refused").exists()


def test_a_block_holds_for_every_spelling_and_all_below(say, tool):
    web = {"source_kind": "tool_result", "by": tool}
    say("The sky is blue", source_name="evil.com", **web)
    below = say("The sea is blue", source_name="evil.com/sea", **web)
    say("Grass is green", source_name="notevil.com", **web)
    root = Source.objects.get(key="evil.com")
    sources.block(source=root, by=BY, reason="poisoned")
    assert row(below) in reach_of(root).rejectable()
    for name in SPELLINGS:
        with pytest.raises(SourceBlocked):
            say("x", source_name=name, **web)
    assert say("y", source_name="notevil.com", **web).event == "added"
    root.refresh_from_db()
    assert root.refused_writes == len(SPELLINGS)
    assert AuditEntry.objects.get(action="source.block").details["with_it"]
    sources.unblock(source=root, by=BY, reason="lifted")
    assert say("z", source_name="evil.com/sea", **web).event == "added"
    assert not Source.objects.exclude(blocked_at=None).exists()


def test_what_was_blocked_by_itself_stays_blocked(say, tool):
    web = {"source_kind": "tool_result", "by": tool}
    say("The sky is blue", source_name="evil.com", **web)
    say("The sea is blue", source_name="evil.com/sea", **web)
    for key in ("evil.com/sea", "evil.com"):
        one = Source.objects.get(key=key)
        sources.block(source=one, by=BY, reason="poisoned")
    sources.unblock(source=Source.objects.get(key="evil.com"), by=BY, reason="lifted")
    with pytest.raises(SourceBlocked):
        say("z", source_name="evil.com/sea", **web)
    assert say("z", source_name="evil.com", **web).event == "added"


def test_a_users_block_is_the_users_alone(say, tool):
    say("I like tea", source_name="ann.example.com")
    user = Source.objects.get(kind="user_input")
    sources.block(source=user, by=BY, reason="compromised")
    web = {"source_kind": "tool_result", "by": tool}
    assert say("x y", source_name="example.com", **web).event == "added"


def test_nothing_that_a_blocked_agent_sends_is_stored_or_changed(say, tool):
    saved = say("Grass is green", by=tool)
    agent, now = Agent.objects.get(pk=tool.agent_id), timezone.now()
    writer_blocks.block(writer=agent, by=BY, reason="poisoned", now=now)
    with pytest.raises(SourceBlocked):
        say("The sky is blue", by=tool)
    with pytest.raises(SourceBlocked):
        changes.correct(
            by=tool,
            scope=Scope(row(saved).owner_id, OWNER, (row(saved).namespace_id,)),
            memory_id=saved.memory_id,
            changes={"content": "Grass is blue"},
        )
    standing = writer_blocks.standing(agent, now=now)
    assert standing.refused_writes == 1
    assert refusals().get().details["writer_blocks"] == [standing.pk]
    assert say("The sky is blue").event == "added"
    with pytest.raises(TransitionRefused):
        writer_blocks.block(writer=agent, by=BY, reason="poisoned", now=now)
    writer_blocks.lift(writer=agent, by=BY, now=timezone.now())
    assert say("The sky is red", by=tool).event == "added"


def test_a_tokens_block_is_that_tokens_alone_and_ends_by_itself(say, tool):
    token, now = Token.objects.get(pk=tool.token_id), timezone.now()
    until = now + timedelta(hours=1)
    writer_blocks.block(writer=token, by=BY, reason="untrue", now=now, until=until)
    with pytest.raises(SourceBlocked):
        say("Grass is green", by=tool)
    assert writer_blocks.standing(token.agent, now=now) is None
    assert writer_blocks.standing(token, now=until) is None
    WriterBlock.objects.update(until=now)
    assert say("Grass is green", by=tool).event == "added"
    again = writer_blocks.block(writer=token, by=BY, reason="untrue", now=until)
    assert WriterBlock.objects.filter(lifted_at=None).get() == again
