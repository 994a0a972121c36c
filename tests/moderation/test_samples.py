"""The week's questions: drawn once, answered once, counted by health."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory_core.contracts.enums import Status
from memory_core.models import AuditEntry, Memory, RecallSample
from moderation.actions import samples
from moderation.models import QualitySample

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(held):
    """This week's questions: one memory that nobody held, one recall."""
    memory = held()
    Memory.unscoped.filter(pk=memory.pk).update(status=Status.ACTIVE)
    RecallSample.objects.create(
        namespace=memory.namespace,
        owner=memory.owner,
        recall_id=uuid7(),
        query="what about <b>backups</b>?",
        returned=[memory.pk],
        at=timezone.now(),
    )
    assert samples.draw(now=timezone.now()) == 2
    return memory


def test_a_week_begins_on_monday():
    assert QualitySample.week_of(datetime(2026, 3, 15, 23, tzinfo=UTC)) == date(
        2026, 3, 9
    )


def test_a_week_is_drawn_once_and_nothing_twice(asked):
    now = timezone.now()
    assert samples.draw(now=now) == 0
    samples.draw(now=now + timedelta(days=7))
    assert QualitySample.objects.count() == 2


def test_held_and_reviewed_memories_are_not_asked_about(held):
    held()
    assert samples.draw(now=timezone.now()) == 0


def test_a_moderator_answers_and_the_question_is_gone(signed_in, asked):
    client = signed_in("moderator")
    page = client.get("/samples/").content.decode()
    assert "Is this memory right?" in page
    assert asked.content in page
    assert "&lt;b&gt;backups" in page
    about = {row.kind: row for row in QualitySample.objects.all()}
    path = f"/samples/{about['memory'].pk}/"
    assert client.post(path).status_code == 422
    client.post(path, {"answer": "wrong"})
    client.post(f"/samples/{about['recall'].pk}/", {"answer": "right"})
    assert "Nothing is asked now" in client.get("/samples/").content.decode()
    about["memory"].refresh_from_db()
    assert about["memory"].is_right is False
    assert AuditEntry.objects.filter(action="sample.answer").count() == 2
    page = client.post(path, {"answer": "right"}, follow=True).content.decode()
    assert "Decided already by operator:moderator" in page
    about["memory"].refresh_from_db()
    assert about["memory"].is_right is False


def test_what_is_gone_is_not_asked_any_more(signed_in, asked):
    RecallSample.objects.all().delete()
    Memory.unscoped.all().delete()
    assert "Nothing is asked now" in signed_in("lead").get("/samples/").content.decode()
