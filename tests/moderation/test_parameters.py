"""Whatever stands in a parameter, the answer is a page or a refusal, not a fault."""

import pytest
from django.utils import timezone

from memory_core import jobs
from memory_core.models import Job
from memory_core.snapshots import ordered
from memory_core.tasks import snapshots as _tasks  # noqa: F401 - registers engines
from moderation.parameters import MOST, number_or, uuid_or_none
from tests.moderation.requests.desk import form

pytestmark = pytest.mark.django_db

ODD = ["abc", "", "-1", str(MOST), str(MOST + 1), str(10**30), "1" * 5000, "²", "١"]
NOW = timezone.now().strftime("%Y-%m-%dT%H:%M")

READ = [
    ("/audit/", "before"),
    ("/sources/", "after"),
    ("/memories/", "after"),
    ("/memories/", "source"),
    ("/memories/undo/", "source"),
    (f"/memories/undo/?since={NOW}", "source"),
    ("/queue/", "after"),
    ("/queue/", "source"),
    ("/queue/all/", "source"),
    ("/requests/", "after"),
    ("/health/", "days"),
    ("/go/", "q"),
]


@pytest.mark.parametrize(("address", "name"), READ)
def test_an_odd_parameter_of_an_address_is_no_fault(signed_in, held, address, name):
    held()
    client = signed_in("admin")
    client.raise_request_exception = False
    for odd in ODD:
        statuses = {client.get(address, query_params={name: odd}).status_code}
        if "?" in address:
            path, _, rest = address.partition("?")
            key, _, value = rest.partition("=")
            query = {key: value, name: odd}
            statuses.add(client.get(path, query_params=query).status_code)
        assert statuses <= {200, 302, 404, 422}, odd


POSTED = [
    ("/audit/person/", "before", {"owner": "lin"}),
    ("/memories/{memory}/roll-back/", "version", {}),
    ("/memories/{memory}/edit/", "version", {"content": "x", "category": "fact"}),
    ("/memories/undo/", "source", {"since": NOW}),
    ("/queue/bulk/undo/", "item", {}),
    ("/queue/bulk/", "item", {}),
    ("/queue/all/", "number", {"verb": "reject", "why": "untrue", "as_of": NOW}),
    ("/queue/{memory}/decide/", "version", {"verb": "reject", "reason": "untrue"}),
    ("/blocks/source/{source}/place/", "typed", {"reason": "untrue"}),
    ("/blocks/source/{source}/hold/", "typed", {}),
]


@pytest.mark.parametrize(("address", "name", "more"), POSTED)
def test_an_odd_value_that_is_posted_is_no_fault(signed_in, held, address, name, more):
    memory, client = held(), signed_in("admin")
    client.raise_request_exception = False
    place = address.format(memory=memory.pk, source=memory.source_id)
    for odd in ODD:
        posted = {**more, name: odd}
        assert client.post(place, posted).status_code < 500, odd
    seen = [f"{memory.pk}.{odd}.abc" for odd in ODD]
    if name == "item":
        assert client.post(place, {"item": seen}).status_code < 500


@pytest.mark.parametrize("name", ["memory", "recipient"])
def test_an_odd_row_of_a_request_is_no_fault(signed_in, name):
    client = signed_in("compliance")
    client.raise_request_exception = False
    place = client.post("/requests/new/", form())["Location"]
    verb = "mentions" if name == "memory" else "recipient"
    for odd in ODD:
        sent = {name: odd, f"treatment-{odd}": "keep", "result": "told"}
        answer = client.post(f"{place}{verb}/", sent)
        assert answer.status_code < 500, odd


def test_a_part_that_is_none_is_not_the_whole_file(signed_in, held, settings, tmp_path):
    settings.SNAPSHOT_DIR = tmp_path
    held()
    client = signed_in("operator")
    client.raise_request_exception = False
    client.post("/moving/export/", {})
    while jobs.work(seconds=60):
        pass
    job = Job.objects.get(kind=ordered.KIND)
    place = f"/moving/out/{job.pk}/file/"
    for odd in ODD:
        answer = client.get(place, {"part": odd})
        expected = 200 if odd in ("", str(MOST)) else 404
        assert answer.status_code == expected, odd
        assert answer.getvalue() or odd  # and the file is read to its end


def test_only_plain_numbers_that_fit_are_numbers():
    assert [number_or(odd, None) for odd in ODD] == [None] * 3 + [MOST] + [None] * 5
    assert number_or("007", 0) == 7
    assert [uuid_or_none(odd) for odd in ODD] == [None] * len(ODD)
