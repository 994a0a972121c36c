"""Jobs and what they did are told in words, on narrow screens with their labels."""

import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.utils import timezone

from memory_core.contracts.enums import Status
from memory_core.models import Job, Memory

TEMPLATES = Path(settings.BASE_DIR) / "templates"
CARDS = re.compile(r'<table class="cards-when-narrow">.*?</table>', re.DOTALL)
CELL = re.compile(r"<td\b[^>]*>.*?</td>", re.DOTALL)
COUNTS = re.compile(r'<td [^>]*data-label="Counts">(.*?)</td>', re.DOTALL)
BARE = (
    "data-label",
    'class="empty"',
    'class="pick"',
    "<button",
    'class="button"',
)


def make(kind: str, counts: dict, **more: object) -> Job:
    return Job.objects.create(
        kind=kind,
        counts=counts,
        created_by="operator:anna",
        created_at=timezone.now(),
        **more,
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "counts", "words"),
    [
        ("consolidation", {"archived": 3, "merged": 2}, ["archived 3", "joined 2"]),
        ("rescan", {"kept": 7, "held": 0}, ["left as they were 7"]),
        ("import", {"quarantined": 4}, ["put aside 4"]),
        ("bulk_review", {"theirs": 5}, ["somebody was first 5"]),
        ("withdrawal", {"left": 6}, ["left alone: changed meanwhile 6"]),
        ("backtest", {"queries": 8, "seconds_now": 0.5}, ["queries asked again 8"]),
    ],
)
def test_what_a_job_has_counted_is_told_in_words(signed_in, kind, counts, words):
    job = make(kind, counts)
    client = signed_in("operator")
    listed = client.get("/jobs/").content.decode()
    [cell] = COUNTS.findall(listed)
    said = " ".join(re.sub(r"<[^>]+>", "", cell).split())
    assert said == " ".join(words)
    alone = client.get(f"/jobs/{job.pk}/").content.decode()
    assert all(f"<dt>{word.rpartition(' ')[0]}</dt>" in alone for word in words)
    assert "seconds_now" not in alone


@pytest.mark.django_db
def test_each_change_of_a_consolidation_is_told_with_its_reason(signed_in, held):
    memory = held()
    case = {
        "action": "archived",
        "memory_id": str(memory.pk),
        "category": "fact",
        "unrecalled_since": timezone.now().isoformat(),
        "relation": "supersede",
        "with": [str(uuid4())],
        "signals": {"cosine": 0.5},
    }
    job = make("consolidation", {"archived": 1}, cases=[case])
    page = signed_in("operator").get(f"/jobs/{job.pk}/").content.decode()
    assert f'href="/memories/{memory.pk}/"' in page
    assert {code for code in case if f">{code}<" in page} <= {"relation", "signals"}
    assert "cosine 0.5" in page
    assert "just now" in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("verb", "said"), [("archive", "Archived."), ("delete", "Deleted.")]
)
def test_the_page_says_what_was_done_to_a_memory(signed_in, held, verb, said):
    memory = held()
    Memory.unscoped.filter(pk=memory.pk).update(status=Status.ACTIVE)
    client = signed_in("lead")
    page = client.post(f"/memories/{memory.pk}/{verb}/", follow=True).content.decode()
    assert said in page


@pytest.mark.parametrize(
    "path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.stem
)
def test_each_cell_of_a_table_with_headings_has_its_label_as_a_card(path):
    for table in CARDS.findall(path.read_text("utf-8")):
        if 'scope="col"' not in table:
            continue
        cells = CELL.findall(table.partition("<tbody>")[2])
        bare = [cell for cell in cells if not any(one in cell for one in BARE)]
        assert [cell for cell in bare if cell != "<td></td>"] == []
