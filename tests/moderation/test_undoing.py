"""What a source or a token wrote is looked at, then taken back."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core.contracts.enums import Status

pytestmark = pytest.mark.django_db


def yesterday() -> str:
    return (timezone.now() - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")


def test_the_preview_changes_nothing(signed_in, held):
    memory = held()
    asked = {"source": memory.source_id, "since": yesterday()}
    page = signed_in("moderator").get("/memories/undo/", asked).content.decode()
    assert memory.content in page
    memory.refresh_from_db()
    assert memory.status == Status.PENDING


@pytest.mark.parametrize("writer", ["source", "token_prefix"])
def test_what_was_written_since_is_taken_back(signed_in, held, writer):
    memory = held()
    asked = {"since": yesterday()}
    asked[writer] = memory.source_id if writer == "source" else memory.token_prefix
    answer = signed_in("moderator").post("/memories/undo/", asked)
    assert answer.status_code == 302
    memory.refresh_from_db()
    assert memory.status == Status.REJECTED


def test_nobody_is_meant_by_nothing(signed_in):
    answer = signed_in("moderator").post("/memories/undo/", {"since": yesterday()})
    assert answer.status_code == 422


def test_an_active_memory_that_was_reported_waits_in_its_view(signed_in, held):
    memory, client = held(), signed_in("moderator")
    type(memory).unscoped.filter(pk=memory.pk).update(
        status=Status.ACTIVE, decision={"reasons": ["reported_wrong"]}
    )
    page = client.get("/queue/?view=reported").content.decode()
    assert memory.content in page
    assert memory.content not in client.get("/queue/").content.decode()
    memory.refresh_from_db()
    answer = client.post(
        f"/queue/{memory.pk}/decide/",
        {
            "verb": "reject",
            "reason": "untrue",
            "version": memory.version,
            "digest": bytes(memory.content_digest).hex(),
        },
    )
    assert answer.status_code == 302
    memory.refresh_from_db()
    assert memory.status == Status.REJECTED
