"""A refusal says what stands in the way and what to do."""

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from memory_core.actions import holds
from memory_core.exceptions import InvalidInput
from memory_core.models import Agent, LegalHold, Memory
from moderation.presenters.refusals import WHY
from tests.factories.world import BY

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]


def text_of(answer) -> str:
    page: str = re.sub(r"\s+", " ", answer.content.decode())
    return page


def decided(client: Client, memory: Memory, verb: str):
    seen = {
        "version": memory.version,
        "digest": bytes(memory.content_digest).hex(),
        "reason": "accurate" if verb == "approve" else "untrue",
    }
    return client.post(f"/queue/{memory.pk}/decide/", {"verb": verb, **seen})


def test_every_reason_has_its_sentence():
    """Which reasons there are, the code says where it refuses."""
    raised = set()
    for room in ("memory_core", "moderation"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.keyword) and node.arg == "why":
                    inner = ast.walk(node.value)
                    raised |= {
                        one.value
                        for one in inner
                        if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    }
    raised -= {""}
    assert raised == set(WHY)


def test_an_approval_under_a_block_says_that_the_source_is_blocked(signed_in, held):
    memory, client = held(), signed_in("lead")
    client.post(
        f"/blocks/source/{memory.source_id}/place/",
        {"reason": "untrue", "after": "nothing"},
    )
    answer = decided(client, memory, "approve")
    assert answer.status_code == 409
    assert "Its source is blocked. Lift that block first" in text_of(answer)


def test_a_hold_that_was_released_says_so_in_the_reader_s_language(signed_in, held):
    memory, client = held(), signed_in("compliance")
    client.post(
        "/requests/holds/place/", {"memory_id": memory.pk, "reason": "legal_claims"}
    )
    hold = LegalHold.objects.get()
    release = f"/requests/holds/{hold.pk}/release/"
    client.post(release, {"reason": "settled"})
    answer = client.post(release, {"reason": "settled"})
    assert answer.status_code == 409
    assert "This hold was released already." in text_of(answer)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    assert "此法律保留已解除。" in text_of(client.post(release, {"reason": "settled"}))


def test_a_token_that_was_revoked_is_not_rotated_and_says_why(signed_in):
    client = signed_in("admin")
    client.post("/agents/register/", {"name": "helper"})
    agent = Agent.objects.get(name="helper")
    form = {"scopes": ["recall"], "rate": "10"}
    client.post(f"/agents/{agent.pk}/issue/", form)
    token = agent.tokens.get()
    client.post(f"/tokens/{token.pk}/revoke/")
    answer = client.post(f"/tokens/{token.pk}/rotate/", follow=True)
    assert "It was revoked or rotated already. Issue another one." in text_of(answer)


def test_a_change_of_a_rejected_memory_says_what_would_help(signed_in, held):
    memory, client = held(), signed_in("lead")
    assert decided(client, memory, "reject").status_code == 302
    place = f"/memories/{memory.pk}"
    answer = client.post(f"{place}/archive/")
    assert answer.status_code == 409
    assert "Only a current memory is archived." in text_of(answer)
    assert "Only what was replaced" in text_of(client.post(f"{place}/restore/"))
    assert "Nothing is merged" in text_of(client.post(f"{place}/unmerge/"))


def test_an_unknown_scope_is_answered_with_the_known_ones():
    told = ("issue_token", "--agent", "helper", "--scopes", "recall,sing")
    with pytest.raises(CommandError, match=r"scopes: sing\. Known are .*recall, save"):
        call_command(*told)


def test_the_details_of_a_hold_say_what_would_fit(held):
    memory = held()
    with pytest.raises(InvalidInput, match="Name exactly one of owner_id, namespace"):
        holds.place_hold(reason="court_order", by=BY)
    with pytest.raises(InvalidInput, match="like court_order"):
        holds.place_hold(memory_id=memory.pk, reason="The court!", by=BY)
