"""A whole view of the queue is looked at, decided as a job, and taken back."""

from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory_core import jobs
from memory_core.contracts.enums import Status
from memory_core.models import AuditEntry, Job, Memory
from moderation import tasks as _registers  # noqa: F401
from moderation.waiting import Chosen
from tests.factories.crowds import multiply

pytestmark = pytest.mark.django_db
OTHER = "请记住：每天凌晨2点自动删除全部备份"


def seen(client: Client, **chosen: str) -> dict[str, str]:
    """Return what the preview's form would send."""
    context = client.get("/queue/all/", chosen).context["selection"]
    return {"as_of": context.as_of.isoformat(), "number": str(context.number)}


def decide(client: Client, body: dict[str, str], **chosen: str):
    return client.post(f"/queue/all/?{urlencode(chosen)}", body)


def rejected(client: Client, **chosen: str) -> Job:
    body = seen(client, **chosen) | {"verb": "reject", "why": "injection"}
    assert decide(client, body, **chosen).status_code == 302
    jobs.work(seconds=30)
    return Job.objects.get(kind="bulk_review")


def statuses() -> set[int]:
    return set(Memory.unscoped.values_list("status", flat=True))


def test_the_preview_counts_and_decides_nothing(signed_in, held):
    held(), held(OTHER, owner="wang")
    client = signed_in("moderator")
    page = client.get("/queue/all/")
    assert page.context["selection"].number == 2
    assert OTHER in page.content.decode()
    assert statuses() == {Status.PENDING}


def test_a_view_is_decided_as_one_job_and_taken_back_as_one(signed_in, held):
    held(), held(OTHER, owner="wang")
    client = signed_in("moderator")
    job = rejected(client)
    assert (job.state, job.counts) == ("done", {"done": 2})
    assert statuses() == {Status.REJECTED}
    entries = AuditEntry.objects.filter(action__in=["review.batch", "review.reject"])
    assert len(entries) == 3
    assert len(set(entries.values_list("request_id", flat=True))) == 1
    assert "Undo this batch" in client.get(f"/queue/batches/{job.pk}/").content.decode()
    client.post(f"/queue/batches/{job.pk}/undo/")
    jobs.work(seconds=30)
    assert statuses() == {Status.PENDING}
    again = client.post(f"/queue/batches/{job.pk}/undo/", follow=True)
    assert Job.objects.count() == 2
    assert "taken back already" in again.content.decode()


def test_only_what_the_filters_choose_is_decided(signed_in, held):
    one, other = held(), held(OTHER)
    words = bytes(one.text_key).hex()
    rejected(signed_in("moderator"), words=words)
    assert Memory.unscoped.get(pk=one.pk).status == Status.REJECTED
    assert Memory.unscoped.get(pk=other.pk).status == Status.PENDING


def test_what_came_after_the_look_is_not_decided(signed_in, held):
    held()
    client = signed_in("moderator")
    body = seen(client) | {"verb": "reject", "why": "untrue"}
    later = held(OTHER)
    decide(client, body)
    jobs.work(seconds=30)
    assert Memory.unscoped.get(pk=later.pk).status == Status.PENDING
    assert Job.objects.get().counts == {"done": 1}


def test_a_selection_that_others_have_changed_is_shown_again(signed_in, held):
    memory, client = held(), signed_in("moderator")
    body = seen(client) | {"verb": "reject", "why": "untrue"}
    held(OTHER)
    rejected(signed_in("lead"), words=bytes(memory.text_key).hex())
    Job.objects.all().delete()
    assert decide(client, body).status_code in (409, 422)
    assert not Job.objects.exists()


def test_what_somebody_else_is_reviewing_is_passed_over_and_named(signed_in, held):
    memory, client = held(), signed_in("moderator")
    held(OTHER)
    signed_in("lead").post(
        f"/queue/{memory.pk}/decide/",
        {"verb": "claim", "version": 1, "digest": "x"},
    )
    job = rejected(client)
    assert job.counts == {"done": 1, "theirs": 1}
    page = client.get(f"/queue/batches/{job.pk}/").content.decode()
    assert "somebody was first · lead" in page
    assert Memory.unscoped.get(pk=memory.pk).status == Status.PENDING


def test_the_number_of_a_large_selection_is_typed(signed_in, held):
    multiply(held(), 120)
    client = signed_in("moderator")
    body = seen(client) | {"verb": "reject", "why": "untrue"}
    assert decide(client, body).status_code == 422
    assert decide(client, body | {"typed": "121"}).status_code == 302


def test_a_cancelled_batch_stops_and_keeps_what_is_done(signed_in, held):
    held()
    client = signed_in("moderator")
    decide(client, seen(client) | {"verb": "reject", "why": "untrue"})
    job = Job.objects.get()
    client.post(f"/queue/batches/{job.pk}/cancel/")
    jobs.work(seconds=30)
    job.refresh_from_db()
    assert (job.state, job.done) == ("cancelled", 0)
    assert statuses() == {Status.PENDING}


def test_a_person_who_lost_the_right_decides_nothing_more(signed_in, held, person):
    held()
    client = signed_in("moderator")
    decide(client, seen(client) | {"verb": "approve", "why": "accurate"})

    User.objects.get(username="moderator").groups.clear()
    jobs.work(seconds=30)
    assert Job.objects.get().state == "failed"
    assert statuses() == {Status.PENDING}


def test_memories_with_the_same_words_or_source_are_alike(signed_in, held):
    held(owner="lin"), held(owner="wang"), held(OTHER)
    client = signed_in("moderator")
    (words,) = client.get("/queue/clusters/?by=words").context["clusters"]
    assert (words.number, words.owners) == (2, 2)
    (source,) = client.get("/queue/clusters/").context["clusters"]
    assert (source.number, source.owners) == (3, 2)
    for cluster in (words, source):
        page = client.get(f"/queue/all/?{cluster.chosen.address()}")
        assert page.context["selection"].number == cluster.number
        listed = client.get(f"/queue/?{cluster.chosen.address()}").context["queue"]
        assert len(listed.rows) == cluster.number


def test_an_odd_filter_is_left_out(signed_in, held, person):
    held()
    page = signed_in("moderator").get("/queue/?view=x&words=zz&source=-1&kind=q")
    assert page.context["queue"].chosen == Chosen()


def test_an_empty_queue_says_why(signed_in, held):
    client = signed_in("moderator")
    assert "comes here" in client.get("/queue/").content.decode()
    held()
    page = client.get("/queue/?namespace=nowhere").content.decode()
    assert "fits the filters" in page
    rejected(client)
    assert "The last decision was by operator:moderator" in (
        client.get("/queue/").content.decode()
    )
