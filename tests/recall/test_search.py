"""The right memory comes first, in Chinese and in English, and only one's own."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core.actions import access
from memory_core.contracts.recall import Narrowing, RecallQuery
from memory_core.embedding import EmbedderUnavailable
from memory_core.recall import engine, question
from tests.factories import make_caller
from tests.recall.conftest import at, contents


def test_a_question_by_meaning_finds_the_chinese_memory_first(world):
    world.tell("用户喜欢蓝色", category="preference")
    world.tell("用户在上海的一家银行工作", category="profile")
    world.tell("下周三要去看牙医", category="event")
    assert world.texts("有什么偏冷的色调建议")[0] == "用户喜欢蓝色"


def test_a_question_by_meaning_finds_the_english_memory_first(world):
    world.tell("The user is allergic to peanuts", category="constraint")
    world.tell("The user plays the violin on Sundays", category="fact")
    world.tell("The dentist appointment is on Friday", category="event")
    assert "peanuts" in world.texts("which food must be avoided?")[0]


def test_a_rare_word_finds_its_memory_whatever_the_vector_says(world):
    world.tell("Ticket ZX-4471 is about the broken printer", category="event")
    for number in range(5):
        world.tell(f"Ticket about a printer that was repaired in office {number}",
                   category="event")  # fmt: skip
    assert "ZX-4471" in world.texts("ZX-4471")[0]


def test_another_owner_and_an_unknown_one_find_nothing(world):
    world.tell("我叫小明", owner="ming")
    assert world.texts("我叫什么", owner="hong") == []
    assert world.texts("我叫什么", owner="ming") == ["我叫小明"]


def test_another_agent_finds_nothing_without_a_grant(world):
    world.tell("我叫小明")
    assert world.texts("我叫什么", by=make_caller()) == []


def test_a_shared_namespace_is_found_by_whoever_has_a_grant(world):
    writer = make_caller(shared={"support": "rw"})
    reader = make_caller(shared={"support": "r"})
    world.tell("我喜欢蓝色", by=writer, namespace="support")
    assert world.texts("喜欢什么颜色", by=reader) == ["我喜欢蓝色"]
    assert world.texts("喜欢什么颜色", by=reader, namespaces=(reader.home,)) == []


def test_a_token_bound_to_other_owners_sees_an_empty_answer(world):
    bound = make_caller(shared={"support": "rw"}, owner_claim="hong")
    free = make_caller(shared={"support": "rw"})
    world.tell("我喜欢蓝色", by=free, namespace="support")
    assert world.texts("喜欢什么颜色", by=bound) == []
    assert world.texts("喜欢什么颜色", by=free) == ["我喜欢蓝色"]


@pytest.mark.parametrize(
    ("narrowing", "expected"),
    [
        (Narrowing(categories=("preference",)), {"likes green tea"}),
        (Narrowing(categories=("preference", "event")),
         {"likes green tea", "drank oolong tea in Fujian"}),
        (Narrowing(tags=("drink",)), {"likes green tea", "sells tea in bulk"}),
        (Narrowing(tags=("drink", "work")), {"sells tea in bulk"}),
        (Narrowing(source_kinds=("inference",)), {"sells tea in bulk"}),
        (Narrowing(metadata={"shop": {"id": 7}}), {"sells tea in bulk"}),
        (Narrowing(occurred_after=at("2019-01-01T00:00:00Z")),
         {"drank oolong tea in Fujian"}),
        (Narrowing(occurred_before=at("2018-01-01T00:00:00Z")), set()),
        (Narrowing(tiers=("permanent",)), set()),
    ],
)  # fmt: skip
def test_filters_narrow_what_is_searched(world, narrowing, expected):
    world.tell("likes green tea", category="preference", tags=("drink",))
    world.tell(
        "sells tea in bulk",
        category="fact",
        tags=("drink", "work"),
        source_kind="inference",
        metadata={"shop": {"id": 7, "city": "Xiamen"}},
    )
    world.tell(
        "drank oolong tea in Fujian",
        category="event",
        occurred_at=at("2019-05-02T08:00:00Z"),
    )
    assert set(world.texts("tea", narrowing=narrowing)) == expected


def test_filters_apply_before_the_limit(world, monkeypatch):
    monkeypatch.setattr(engine, "CANDIDATES", 10)
    for number in range(15):
        world.tell(f"green tea number {number}", category="event")
    wanted = world.tell("a black coffee", category="preference")
    found = world.ask("green tea", narrowing=Narrowing(categories=("preference",)))
    assert [hit.memory.memory_id for hit in found.hits] == [wanted]


def test_a_faded_memory_is_left_out_counted_and_found_in_the_archive(world):
    long_ago = timezone.now() - timedelta(days=120)
    world.tell("went skiing in Harbin", category="event", observed_at=long_ago)
    found = world.ask("skiing")
    assert contents(found) == []
    assert found.withheld.faded == 1
    assert world.texts("skiing", include_archived=True) == ["went skiing in Harbin"]


def test_min_score_is_compared_to_the_live_score(world):
    month_ago = timezone.now() - timedelta(days=30)
    world.tell("went skiing in Harbin", category="event", observed_at=month_ago)
    assert world.ask("skiing", min_score=0.25).hits[0].memory.score == pytest.approx(
        0.3, abs=0.01
    )
    assert world.ask("skiing", min_score=0.35).withheld.faded == 1


def test_the_search_goes_on_until_it_has_as_many_as_asked_for(world, monkeypatch):
    monkeypatch.setattr(engine, "CANDIDATES", 10)
    long_ago = timezone.now() - timedelta(days=120)
    for number in range(15):
        world.tell(f"skiing trip {number}", category="event", observed_at=long_ago)
    for number in range(6):
        world.tell(f"lunch in canteen {number}", category="event")
    assert len(world.ask("skiing trip", top_k=5).hits) == 5


def test_a_memory_past_its_deadline_is_not_recalled(world):
    soon = timezone.now() + timedelta(hours=1)
    memory = world.tell("hand in the report", category="task", expire_at=soon)
    assert world.texts("report") == ["hand in the report"]
    later = soon + timedelta(seconds=1)
    assert _asked_at(world, "report", later) == []
    assert memory is not None


def _asked_at(world, query, now):
    scope = access.read_scope(world.by, "ming")
    asked = RecallQuery(owner_id="ming", query=query)
    return contents(engine.search(world.by, scope, asked, now=now))


def test_a_token_budget_keeps_the_best_that_fit_and_counts_the_rest(world):
    world.tell("green tea", category="event")
    world.tell(
        "In spring the family drove to the hills, walked between the gardens, watched"
        " how the leaves are picked, dried and rolled, drank three kinds of tea with a"
        " view of the lake, and came home late with a bag full of small presents.",
        category="event",
    )
    found = world.ask("green tea", token_budget=40)
    assert contents(found) == ["green tea"]
    assert found.withheld.budget == 1


def test_explain_shows_the_parts_and_the_weights(world):
    world.tell("likes green tea", category="preference")
    explain = world.ask("green tea", explain=True).hits[0].explain
    assert {"dense", "lexical", "fused", "decay", "bonus", "half_life_days"} <= set(
        explain
    )
    assert explain["half_life_days"] == 60
    assert explain["decay"] == pytest.approx(1.0, abs=1e-4)
    assert explain["weights"]["w_score"] > 0


def test_the_answer_is_in_the_order_of_its_rank_scores(world):
    for text in ("likes green tea", "green is the favourite colour", "works in Rome"):
        world.tell(text, category="fact")
    scores = [hit.rank_score for hit in world.ask("green tea").hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_without_the_embedder_words_answer_and_say_so(world, monkeypatch):
    world.tell("likes green tea", category="preference")

    def away(_spec):
        raise EmbedderUnavailable("embedder_missing", "gone")

    monkeypatch.setattr(question, "embedder", away)
    found = world.ask("green tea")
    assert contents(found) == ["likes green tea"]
    assert found.hints == ("words_only",)


def test_nothing_saved_yet_is_an_empty_answer(world):
    found = world.ask("anything")
    assert (found.hits, found.withheld.faded) == ((), 0)


def test_a_name_that_a_profile_states_does_not_drown_the_question(world):
    world.tell("我叫小明", category="profile")
    world.tell("小明对花生过敏", category="constraint")
    world.tell("小明喜欢蓝色", category="preference")
    assert world.texts("小明不能吃什么")[0] == "小明对花生过敏"


def test_what_the_best_is_linked_to_comes_in_a_little_higher(world, monkeypatch):
    monkeypatch.setattr(engine, "CANDIDATES", 3)
    linked = world.tell("the key hangs behind the blue door", category="event")
    for number in range(8):
        world.tell(f"lunch in canteen number {number}", category="event")
    world.tell("the dentist moved", category="event", related=(linked,))
    found = world.ask("dentist moved", top_k=3, explain=True)
    by_text = {hit.memory.content: hit for hit in found.hits}
    assert found.hits[0].memory.content == "the dentist moved"
    hit = by_text["the key hangs behind the blue door"]
    assert hit.explain["linked"] > 0
    assert found.hits[0].explain["linked"] == 0
