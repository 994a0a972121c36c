"""Moving in and out at the console, without a script."""

import json
from contextlib import closing

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.urls import reverse

from memory_core import jobs
from memory_core.actions import agents, memories
from memory_core.contracts.memories import Draft
from memory_core.models import Job, Memory
from memory_core.saving import lookups
from memory_core.saving.vectors import ensure_model
from memory_core.snapshots import foreign, uploads
from memory_core.tasks import snapshots as _tasks  # noqa: F401 - registers engines
from moderation import receiving
from tests.factories import make_caller
from tests.factories.world import BY

pytestmark = pytest.mark.django_db

TABLE = "note,who,written\n喜欢茶,amara,2026-02-01T10:00:00Z\n,amara,2026-02-01\n"
MAPPING = {"fields": {"content": "note", "owner_id": "who", "timestamp": "written"}}


@pytest.fixture(autouse=True)
def _home(settings, tmp_path, db):
    settings.HOME = tmp_path
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    settings.COLD_DIR = tmp_path / "cold"
    lookups.forget()
    ensure_model()
    agents.share_namespace(name="shop", by=BY)


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


def csrf_of(client):
    """Give the client the cookie that anybody gets, and return what goes with it."""
    client.cookies["csrftoken"] = "a" * 32
    return {"csrfmiddlewaretoken": "a" * 32}


def work():
    while jobs.work(seconds=60):
        pass


def upload(client, text=TABLE, name="notes.csv"):
    file = SimpleUploadedFile(name, text.encode())
    answer = client.post(reverse("moving-upload"), {"file": file})
    assert answer.status_code == 302
    return Job.objects.get(kind=uploads.KIND), answer["Location"]


def describe(client, job, **changes):
    values = {
        "system": "csv",
        "namespace": "shop",
        "age": "touch",
        "mapping": json.dumps(MAPPING),
    }
    return client.post(reverse("moving-describe", args=[job.pk]), values | changes)


def begin(client, job, verb):
    answer = client.post(reverse("moving-begin", args=[job.pk]), {"verb": verb})
    work()
    return answer


@pytest.mark.parametrize("role", [None, "auditor", "moderator"])
def test_no_byte_of_a_file_is_taken_from_who_may_not_bring_one(
    role, client, signed_in, monkeypatch
):
    taken = []
    monkeypatch.setattr(MemoryFileUploadHandler, "new_file", taken.append)
    sender = signed_in(role) if role else client
    for address in ("moving-upload", "account_login"):
        file = SimpleUploadedFile("notes.csv", TABLE.encode())
        sender.handler.enforce_csrf_checks = True
        answer = sender.post(reverse(address), {"file": file, **csrf_of(sender)})
        assert answer.status_code == 403
    assert not taken
    assert not Job.objects.exists()


def test_a_file_that_is_too_large_is_not_kept(operator, monkeypatch, tmp_path):
    monkeypatch.setattr(receiving, "MOST_BYTES", len(TABLE.encode()) - 1)
    file = SimpleUploadedFile("notes.csv", TABLE.encode())
    answer = operator.post(reverse("moving-upload"), {"file": file})
    assert answer.status_code == 400
    assert not Job.objects.exists()
    assert not list((tmp_path / "uploads").glob("*"))


def test_a_table_is_described_seen_tried_and_imported(operator):
    job, page = upload(operator)
    first = operator.get(page).content.decode()
    assert "喜欢茶" not in first
    assert "&quot;content&quot;: &quot;note&quot;" in first  # a mapping to begin with

    assert describe(operator, job).status_code == 302
    second = operator.get(page).content.decode()
    assert ("喜欢茶" in second and "time without a zone" in second) or "lacks" in second
    assert not Memory.unscoped.exists()

    begin(operator, job, "try")
    third = operator.get(page).content.decode()
    assert "What an import would do" in third and "The first changes" in third
    assert not Memory.unscoped.exists()

    begin(operator, job, "import")
    memory = Memory.unscoped.get()
    assert (memory.content, memory.namespace.name) == ("喜欢茶", "shop")
    last = operator.get(page)
    assert "What came in" in last.content.decode()
    assert "no-store" in last["Cache-Control"]
    bad = operator.get(reverse("moving-quarantine", args=[job.pk]))
    assert json.loads(b"".join(bad))["line"] == 3


def test_an_update_is_shown_as_a_difference(operator):
    job, page = upload(operator)
    mapping = {"fields": MAPPING["fields"] | {"external_id": "who"}}
    describe(operator, job, mapping=json.dumps(mapping))
    begin(operator, job, "import")
    Job.objects.all().delete()
    changed = TABLE.replace("喜欢茶", "喜欢咖啡").replace("01T", "02T")
    job, page = upload(operator, changed)
    describe(operator, job, mapping=json.dumps(mapping))
    begin(operator, job, "try")
    text = operator.get(page).content.decode()
    assert "<del><bdi>喜欢茶</bdi></del>" in text
    assert "<ins><bdi>喜欢咖啡</bdi></ins>" in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"mapping": "{"}, "This is not JSON"),
        ({"mapping": "[" * 5_000}, "This is not JSON"),
        ({"mapping": ""}, "needs a mapping"),
        ({"namespace": ""}, "Choose the namespace"),
        ({"zone": "Mars/North"}, "no such time zone"),
        ({"system": "notes"}, "notes"),
        ({"encoding": "klingon"}, "no such encoding"),
        ({"encoding": "undefined"}, "no such encoding"),
    ],
)
def test_what_does_not_fit_is_said_beside_its_field(operator, changes, said):
    job, _ = upload(operator)
    answer = describe(operator, job, **changes)
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_a_file_that_cannot_be_read_says_so(operator):
    job, page = upload(operator, "\ufeff", "notes.csv")
    describe(operator, job, encoding="ascii")
    assert "name its encoding" in operator.get(page).content.decode()


def test_a_waiting_file_is_read_once_for_each_thing_that_is_said_of_it(
    operator, monkeypatch
):
    job, page = upload(operator)
    describe(operator, job)
    seen = operator.get(page).content.decode()
    assert "喜欢茶" in seen

    read = []
    monkeypatch.setattr(foreign, "_dump", lambda *about: read.append(about))
    assert operator.get(page).content.decode().count("喜欢茶") == seen.count("喜欢茶")
    assert not read

    monkeypatch.undo()
    other = MAPPING | {"fields": MAPPING["fields"] | {"content": "written"}}
    describe(operator, job, mapping=json.dumps(other))
    assert "2026-02-01T10:00:00Z</" in operator.get(page).content.decode()


def test_what_was_looked_at_is_kept_with_the_file_and_goes_with_it(operator):
    job, page = upload(operator)
    describe(operator, job)
    operator.get(page)
    begin(operator, job, "try")
    operator.get(page)
    kept = {path.name for path in uploads.folder_of(job.pk).glob("look-*")}
    assert kept == {"look-sample.json", "look-columns.json", "look-changes.json"}
    operator.post(reverse("moving-give-up", args=[job.pk]))
    assert not list(uploads.folder_of(job.pk).glob("look-*"))


def test_hostile_text_in_a_dump_is_shown_as_text(operator):
    job, page = upload(operator, TABLE.replace("喜欢茶", "<script>x</script>\u202e"))
    describe(operator, job)
    text = operator.get(page).content.decode()
    assert "<script>x" not in text


def test_a_button_pressed_twice_is_a_conflict(operator):
    job, _ = upload(operator)
    describe(operator, job)
    url = reverse("moving-begin", args=[job.pk])
    assert operator.post(url, {"verb": "try"}).status_code == 302
    assert operator.post(url, {"verb": "try"}).status_code == 409


def test_while_it_runs_the_page_asks_again(operator):
    job, page = upload(operator)
    describe(operator, job)
    operator.post(reverse("moving-begin", args=[job.pk]), {"verb": "try"})
    fragment = operator.get(page, headers={"HX-Request": "true"})
    assert "every 2s" in fragment.content.decode()
    assert "HX-Refresh" not in fragment
    work()
    fragment = operator.get(page, headers={"HX-Request": "true"})
    assert fragment["HX-Refresh"] == "true"


def test_what_is_given_up_is_gone(operator):
    job, page = upload(operator)
    operator.post(reverse("moving-give-up", args=[job.pk]))
    assert not uploads.source_of(job.pk).exists()
    assert operator.get(page).status_code == 200


def test_an_upload_without_a_file_is_said(operator):
    assert operator.post(reverse("moving-upload")).status_code == 422


def test_an_export_has_parts_checksums_and_both_ways_to_fetch_it(operator):
    caller = make_caller("till", namespace="shop", shared={"shop": "rw"})
    for n in range(3):
        draft = Draft(
            owner_id="amara",
            content=f"Owns book {n}",
            namespace="shop",
            source_kind="user_input",
            source_name="web",
        )
        memories.remember(draft=draft, by=caller)
    answer = operator.post(reverse("moving-export"), {"namespace": "shop"})
    page = answer["Location"]
    assert "being written" in operator.get(page).content.decode()
    work()
    job = Job.objects.get(kind="snapshot")
    text = operator.get(page).content.decode()
    assert "SHA-256" in text and "Part 1" in text
    url = reverse("moving-file", args=[job.pk])
    whole = b"".join(operator.get(url)).splitlines()
    part = b"".join(operator.get(url, {"part": "0"})).splitlines()
    assert json.loads(whole[0])["counts"]["memories"] == 3
    assert whole[1:] == part
    with closing(operator.get(url)) as answer:
        assert "attachment" in answer["Content-Disposition"]


def test_an_agents_snapshot_is_no_export_of_people(operator):
    job = Job.objects.create(
        kind="snapshot",
        params={"namespaces": []},
        created_by="agent:till",
        created_at="2026-01-01T00:00:00Z",
    )
    assert operator.get(reverse("moving-out", args=[job.pk])).status_code == 404


def test_a_moderator_sees_copies_and_moves_nothing(signed_in):
    moderator = signed_in("moderator")
    assert moderator.get(reverse("copies")).status_code == 200
    assert moderator.get(reverse("moving")).status_code == 403
