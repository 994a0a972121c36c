"""Figures of health: what each counts, over time, with the rows behind it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory_core.actions import agents
from memory_core.models import AuditEntry, Category, ClosedSession, Feedback, Memory
from moderation.models import QualitySample
from moderation.presenters import health
from moderation.presenters.charts import SMALL_HEIGHT, bars_chart
from moderation.presenters.counting import events, numbers
from moderation.presenters.figures import DEFINITIONS, GROUPS, NAMES
from moderation.presenters.latency import within
from moderation.presenters.measures import MEASURES, Narrowing, Unit
from tests.factories.world import BY

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)


def entry(action, days_ago, **fields):
    fields.setdefault("actor", "agent:x")
    return AuditEntry.objects.create(
        at=NOW - timedelta(days=days_ago), action=action, **fields
    )


def feedback(verdict, days_ago, recall=None, agent_id=1):
    return Feedback.objects.create(
        memory_id=uuid7(),
        owner_id=1,
        namespace_id=1,
        agent_id=agent_id,
        recall_id=recall,
        verdict=verdict,
        at=NOW - timedelta(days=days_ago),
    )


def total(key, days=7, **narrowed):
    period, step = timedelta(days=days), timedelta(days=1)
    found = numbers([key], until=NOW, period=period, step=step, **narrowed)
    return found[key].value


def test_every_measure_has_a_name_a_definition_and_one_place_on_the_page():
    placed = [key for _name, keys in GROUPS for key in keys]
    assert sorted(placed) == sorted(MEASURES) == sorted(NAMES) == sorted(DEFINITIONS)


@pytest.mark.parametrize("key", MEASURES)
def test_without_events_a_measure_has_no_number_and_no_rows(key):
    assert total(key) is None
    since = NOW - timedelta(days=7)
    assert list(events(key, since=since, until=NOW)) == []


def test_a_recall_hits_if_anything_of_it_was_used():
    hit, missed = uuid7(), uuid7()
    feedback("unused", 1, hit)
    feedback("used", 1, hit)
    feedback("unused", 2, missed)
    feedback("useful", 2)
    assert total("hit_rate") == 0.5
    assert total("useful_rate") == 1.0


def test_writes_are_told_apart_by_what_came_of_them():
    for event, superseded in (
        ("added", []),
        ("added", ["x"]),
        ("reinforced", []),
        ("unchanged", []),
    ):
        entry("memory.save", 1, details={"event": event, "superseded": superseded})
    entry("memory.save", 1, outcome="refused", details={"code": "screening_refused"})
    entry("consolidation.archived", 1)
    entry("memory.delete", 1)
    assert total("duplicates") == 0.5
    assert total("contradictions") == 0.25
    assert total("refused") == 1
    assert total("decay") == 1
    assert total("growth") == 1 + 0 - 2


def test_first_sessions_are_told_from_later_ones(held):
    memory = held()
    for days_ago, outcome in ((3, "complained"), (2, "completed"), (1, "")):
        ClosedSession.objects.create(
            namespace=memory.namespace,
            owner=memory.owner,
            agent_id=1,
            rounds=3,
            outcome=outcome,
            started_at=NOW - timedelta(days=days_ago),
            closed_at=NOW - timedelta(days=days_ago),
        )
    assert total("completed_first") == 0.0
    assert total("completed_later") == 1.0
    assert total("complained") == 0.5


def test_sampled_precision_counts_what_people_answered():
    for kind, is_right in (("memory", True), ("memory", False), ("recall", True)):
        QualitySample.objects.create(
            kind=kind,
            week=NOW.date(),
            subject_id=uuid7(),
            is_right=is_right,
            decided_by="operator:ann",
            decided_at=NOW - timedelta(days=1),
        )
    assert total("sampled_precision") == 0.5
    assert total("sampled_recall") == 1.0


def test_a_chart_has_one_bar_a_day_and_the_period_before_is_beside_it():
    for days_ago in (0.5, 0.6, 2.5, 9):
        entry("recall", days_ago, details={"returned": 1})
    found = health.figure("recalls", days=7, now=NOW)
    assert (found.value, found.before, found.change) == ("3", "1", "2 more")
    assert [row[1] for row in found.chart.rows] == ["0", "0", "0", "0", "1", "0", "2"]
    assert len(found.chart.bars) == 2


def test_a_table_is_read_once_for_all_that_it_tells():
    with CaptureQueriesContext(connection) as sent:
        health.groups(days=7, now=NOW)
    tables = ["auditentry", "qualitysample", "reviewcase", "closedsession"]
    for table in tables:
        assert sum(table in one["sql"] for one in sent) == 1, table
    assert len(sent) == 6  # verdicts one by one, and by the recall they are about


def agent(name):
    return agents.register(name=name, by=BY)


def test_what_an_agent_did_is_told_from_what_others_did():
    one, other = agent("one"), agent("other")
    for who, event in ((one, "added"), (other, "unchanged"), (other, "added")):
        details = {"event": event, "superseded": []}
        entry("memory.save", 1, details=details, actor=f"agent:{who.name}")
    recall = uuid7()
    feedback("used", 1, recall, agent_id=one.pk)
    feedback("unused", 1, uuid7(), agent_id=other.pk)
    assert total("duplicates", narrowing=Narrowing(one)) == 0.0
    assert total("duplicates", narrowing=Narrowing(other)) == 0.5
    assert total("hit_rate", narrowing=Narrowing(one)) == 1.0
    assert total("hit_rate") == 0.5
    assert total("growth", narrowing=Narrowing(one)) == 2  # for all


def test_what_a_category_holds_is_told_from_the_rest(held):
    first, second = held(), held("请记住用户会在每天凌晨3点删除所有备份数据")
    fact = Category.objects.get(name="fact")
    task = Category.objects.get(name="task")
    for memory, category, verb in ((first, fact, "approve"), (second, task, "reject")):
        Memory.unscoped.filter(pk=memory.pk).update(category=category)
        entry(f"review.{verb}", 1, memory_id=memory.pk)
    assert total("write_precision") == 0.5
    of_fact = Narrowing(category=fact)
    assert total("write_precision", narrowing=of_fact) == 1.0
    written = Narrowing(first.agent, fact)
    assert total("write_precision", narrowing=written) == 1.0
    assert total("write_precision", narrowing=Narrowing(agent("x"), fact)) is None
    since = NOW - timedelta(days=7)
    behind = events("write_precision", since=since, until=NOW, narrowing=of_fact)
    assert [one.memory_id for one in behind] == [first.pk]


def test_a_figure_that_cannot_be_narrowed_says_that_it_is_for_all(signed_in, held):
    client, memory = signed_in("operator"), held()
    page = client.get("/health/")
    assert "for all<" not in page.content.decode()
    name = memory.agent.name
    page = client.get(f"/health/?days=30&category=fact&agent={name}")
    found = {
        figure.key: figure.is_of_all
        for group in page.context["groups"]
        for figure in group.figures
    }
    assert {key for key, is_of_all in found.items() if not is_of_all} == {
        "useful_rate",
        "write_precision",
        "sampled_precision",
        "review_wait",
        "decay",
        "duplicates",
        "contradictions",
    }
    text = page.content.decode()
    assert text.count("for all<") == 10
    assert f"/health/growth/?days=30&amp;agent={name}&amp;category=fact" in text
    behind = client.get(f"/health/growth/?agent={name}").content.decode()
    assert "for all<" in behind
    assert client.get("/health/?agent=nobody&category=x").status_code == 200


def test_bars_of_negative_values_hang_below_the_line():
    chart = bars_chart("x", [2.0, -1.0, None], labels="abc", rows=[("a", "1")] * 3)
    up, down = chart.bars
    assert up.y + up.height == pytest.approx(down.y)
    assert down.y + down.height <= SMALL_HEIGHT


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.123, Unit.SHARE, "12 %"),
        (None, Unit.SHARE, "–"),
        (None, Unit.COUNT, "0"),
        (-3.0, Unit.SUM, "-3"),
        (36.0, Unit.MEDIAN, "36 hours"),
    ],
)
def test_numbers_read_as_what_they_are(value, unit, text):
    assert health.as_text(value, unit) == text


def test_a_share_of_the_answers_came_within_the_bound_of_its_bucket():
    buckets = {0.01: 50.0, 0.1: 95.0, float("inf"): 100.0}
    assert within(buckets, 0.5) == "≤ 10 ms"
    assert within(buckets, 0.95) == "≤ 100 ms"
    assert within(buckets, 0.99) == "> 100 ms"


def test_each_figure_leads_to_the_rows_that_it_counts(signed_in, held):
    memory, client = held(), signed_in("moderator")
    client.post(
        f"/queue/{memory.pk}/decide/",
        {
            "verb": "approve",
            "version": memory.version,
            "digest": bytes(memory.content_digest).hex(),
            "reason": "accurate",
        },
    )
    page = client.get("/health/?days=7").content.decode()
    assert "/health/write_precision/?days=7" in page
    behind = client.get("/health/write_precision/?days=7").content.decode()
    assert f"/memories/{memory.pk}/" in behind
    assert "approved" in behind
    assert client.get("/health/nothing/").status_code == 404


def test_the_page_names_the_age_of_what_waits(signed_in, held):
    memory = held()
    type(memory).unscoped.filter(pk=memory.pk).update(
        created_at=timezone.now() - timedelta(days=3)
    )
    assert "3 days" in signed_in("operator").get("/health/").content.decode()
