"""A token whose writes are blocked does not come free by being rotated."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memory_core.actions import writer_blocks
from memory_core.models import AuditEntry, Token
from memory_core.saving.vectors import ensure_model
from tests.api.client import HttpAgent, new_agent
from tests.factories.world import BY

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent() -> HttpAgent:
    ensure_model()
    return new_agent(scopes=("recall", "save"))


def place(client: Client, kind: str, pk: int) -> None:
    sent = {"reason": "compromised", "after": "nothing"}
    answer = client.post(f"/blocks/{kind}/{pk}/place/", sent)
    assert answer.status_code == 302, answer.content.decode()


def rotate(client: Client, token: Token) -> str:
    """Return the page, or where it leads, after a rotation was asked for."""
    answer = client.post(f"/tokens/{token.pk}/rotate/", follow=True)
    return answer.content.decode()


def saves(agent: HttpAgent) -> int:
    answer = agent.post("save", owner_id="lin", content="The gate opens at nine")
    return answer.status_code


def test_a_blocked_token_is_not_rotated(signed_in, agent):
    client, token = signed_in("admin"), Token.objects.get()
    place(client, "token", token.pk)
    assert saves(agent) == 403
    assert "Its writes are blocked. Lift the block first" in rotate(client, token)
    assert list(Token.objects.all()) == [token]
    assert not AuditEntry.objects.filter(action="token.rotate").exists()
    client.post(f"/blocks/token/{token.pk}/lift/")
    assert "It is shown this once" in rotate(client, token)
    assert Token.objects.count() == 2


def test_a_block_in_the_overlap_holds_for_what_the_token_was_rotated_into(
    signed_in, agent
):
    client, token = signed_in("admin"), Token.objects.get()
    second = client.post(f"/tokens/{token.pk}/rotate/").context["secret"]
    newer = Token.objects.exclude(pk=token.pk).get()
    third = client.post(f"/tokens/{newer.pk}/rotate/").context["secret"]
    place(client, "token", token.pk)
    for each in (agent, HttpAgent(second), HttpAgent(third)):
        assert saves(each) == 403
    assert AuditEntry.objects.filter(action="writer.block").count() == 3


def test_a_block_that_ran_out_is_none(signed_in, agent):
    token, now = Token.objects.get(), timezone.now()
    writer_blocks.block(
        writer=token, by=BY, reason="x", now=now - timedelta(2), until=now
    )
    assert "It is shown this once" in rotate(signed_in("admin"), token)


def test_a_block_of_the_agent_holds_for_its_new_token(signed_in, agent):
    client, token = signed_in("admin"), Token.objects.get()
    place(client, "agent", token.agent_id)
    page = client.post(f"/tokens/{token.pk}/rotate/")
    assert saves(HttpAgent(page.context["secret"])) == 403
