from datetime import UTC, datetime, timedelta

import pytest

from memory_core.contracts.enums import Status
from memory_core.models import Memory
from tests.saving.conftest import row, trust

pytestmark = pytest.mark.django_db

T1 = datetime(2026, 1, 1, tzinfo=UTC)
T2 = T1 + timedelta(days=10)
T3 = T1 + timedelta(days=20)


def actives():
    return set(
        Memory.unscoped.filter(status=Status.ACTIVE).values_list("content", flat=True)
    )


def test_a_new_value_replaces_the_old_one(say):
    blue = say("我喜欢蓝色")
    black = say("换成黑色主题")
    assert (black.event, black.superseded) == ("added", (blue.memory_id,))
    old = row(blue)
    assert old.status == Status.SUPERSEDED
    assert old.superseded_by_id == black.memory_id
    assert old.until == row(black).observed_at
    assert actives() == {"换成黑色主题"}


def test_the_grounds_are_kept_without_any_text(say):
    blue = say("我喜欢蓝色")
    decision = row(say("换成黑色主题")).decision
    assert decision["supersedes"] == [str(blue.memory_id)]
    relation = decision["relation"]
    assert relation["kind"] == "supersede"
    assert 0.7 < relation["p"] <= 1
    assert relation["version"]
    assert "蓝" not in str(decision)


def test_a_supplier_is_replaced(say):
    say("我们的供应商是鼎盛", category="fact")
    say("供应商换成了宏远", category="fact")
    assert actives() == {"供应商换成了宏远"}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
def test_history_loaded_in_any_order_gives_the_same_present(say, order):
    history = [("I live in Paris", T1), ("I moved to Berlin", T2)]
    history.append(("I moved to Oslo", T3))
    for number in order:
        text, moment = history[number]
        say(text, category="fact", observed_at=moment)
    ends = {
        memory.content: (Status(memory.status), memory.until)
        for memory in Memory.unscoped.all()
    }
    assert ends == {
        "I live in Paris": (Status.SUPERSEDED, T2),
        "I moved to Berlin": (Status.SUPERSEDED, T3),
        "I moved to Oslo": (Status.ACTIVE, None),
    }


def test_an_older_statement_that_arrives_late_says_so(say):
    berlin = say("I moved to Berlin", category="fact", observed_at=T2)
    paris = say("I live in Paris", category="fact", observed_at=T1)
    assert paris.status == "superseded"
    assert paris.superseded_by == berlin.memory_id
    assert row(berlin).status == Status.ACTIVE


def test_what_was_confirmed_since_is_not_replaced_by_an_older_change(say):
    say("I now live in Paris", category="fact", observed_at=T1, session_id="a")
    say("I now live in Paris", category="fact", observed_at=T3, session_id="b")
    late = say("I now live in Oslo", category="fact", observed_at=T2, session_id="c")
    assert late.status == "superseded"
    assert actives() == {"I now live in Paris"}


def test_a_refinement_is_kept_beside_and_linked(say):
    broad = say("我喜欢冷色调")
    fine = say("我喜欢蓝色")
    assert (fine.event, fine.superseded) == ("added", ())
    assert row(fine).related == [broad.memory_id]
    assert len(actives()) == 2


def test_events_and_passing_things_replace_nothing(say):
    say("I live in Paris", category="fact")
    say("I moved to Berlin", category="event")
    say("I live in Rome this week", category="temporary")
    assert len(actives()) == 3


def test_other_owners_and_namespaces_are_not_compared(say, voice):
    say("我喜欢蓝色")
    other = say("换成黑色主题", owner_id="user-43")
    elsewhere = say("换成黑色主题", namespace="agent:voice")
    assert (other.superseded, elsewhere.superseded) == ((), ())
    assert Memory.unscoped.filter(status=Status.ACTIVE).count() == 3


def test_a_tool_does_not_overwrite_what_the_user_said(say, tool):
    mine = say("I live in Paris", category="fact")
    claim = say(
        "I moved to Berlin", category="fact", source_kind="tool_result", by=tool
    )
    assert claim.status == "pending"
    assert claim.reasons == ("contradicts_more_trusted",)
    assert claim.superseded == ()
    assert row(claim).decision["contradicts"] == [str(mine.memory_id)]
    assert actives() == {"I live in Paris"}


def test_the_order_of_trust_holds_for_late_arrivals_too(say, tool):
    claim = say(
        "I moved to Berlin",
        category="fact",
        source_kind="tool_result",
        observed_at=T2,
        by=tool,
    )
    mine = say("I live in Paris", category="fact", observed_at=T1)
    assert mine.status == "active"
    waiting = row(claim)
    assert waiting.status == Status.PENDING
    assert waiting.decision["contradicts"] == [str(mine.memory_id)]


def test_a_user_overrides_a_tool(say, tool):
    say("I live in Paris", category="fact", source_kind="tool_result", by=tool)
    say("I moved to Berlin", category="fact")
    assert actives() == {"I moved to Berlin"}


def test_only_a_trusted_user_sets_a_permanent_memory(say):
    held = say("我对花生过敏", category="constraint", tier="permanent")
    assert (held.status, held.reasons) == ("pending", ("permanent_needs_review",))
    trust("user_input", "wechat")
    kept = say(
        "我对海鲜过敏", category="constraint", tier="permanent", source_name="wechat"
    )
    assert kept.status == "active"


def test_a_permanent_memory_asks_a_person_before_it_changes(say):
    trust("user_input", "wechat")
    ming = {"category": "fact", "subject": "小明"}
    fact = say("I live in Paris", tier="permanent", source_name="wechat", **ming)
    claim = say("I moved to Berlin", source_name="phone", **ming)
    assert claim.status == "pending"
    assert "contradicts_permanent" in claim.reasons
    assert row(claim).decision["contradicts"] == [str(fact.memory_id)]
    direct = say("I moved to Oslo", source_name="wechat", **ming)
    assert direct.superseded == (fact.memory_id,)


def test_an_import_replaces_nothing_but_itself(say, voice):
    say("I live in Paris", category="fact", observed_at=T1)
    loaded = say(
        "I moved to Berlin", category="fact", source_kind="import", observed_at=T2
    )
    again = say(
        "I moved to Berlin", category="fact", source_kind="import", observed_at=T2
    )
    assert (loaded.event, loaded.superseded) == ("added", ())
    assert (again.event, again.memory_id) == ("unchanged", loaded.memory_id)
    assert len(actives()) == 2


def test_a_memory_that_waits_replaces_nothing(say, tool, voice):
    from memory_core.models import Namespace

    Namespace.objects.filter(name="shop").update(hold_inferences="all")
    say("I live in Paris", category="fact", source_kind="inference", by=tool)
    held = say("I moved to Berlin", category="fact", source_kind="inference", by=tool)
    assert (held.status, held.reasons) == ("pending", ("inference_held",))
    assert not actives()


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        ("我住在北京", "如果工资合适，我会搬到上海"),
        ("我住在北京", "老板让我搬到上海，我拒绝了"),
        ("我有两个孩子", "我姐姐有三个孩子"),
        ("I am married", "I almost got divorced"),
        ("My phone number is 555 1000", "My old phone number was 555 2000"),
    ],
)
def test_what_is_planned_averted_or_somebody_elses_replaces_no_fact(say, fact, told):
    say(fact, category="fact")
    assert say(told, category="fact").event == "added"
    assert actives() == {fact, told}


@pytest.mark.parametrize(
    ("fact", "changed"),
    [
        ("The freezer is set to 18 degrees", "The freezer is set to -18 degrees"),
        ("冰箱温度设为18度", "冰箱温度设为-18度"),
        ("The rent is $900", "The rent is €900"),
        ("房租是900元", "房租是900美元"),
    ],
)
def test_a_figure_with_another_sign_or_unit_replaces_the_old_one(say, fact, changed):
    say(fact, category="fact")
    assert say(changed, category="fact").event == "added"
    assert actives() == {changed}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("My blood type is AB", "My blood type is AB-"),
        ("冰箱温度设为18度", "冰箱温度设为-18度"),
        ("The dose was 5 mg", "The dose was .5 mg"),
    ],
)
def test_a_sign_makes_another_text_of_an_event(say, first, second):
    say(first, category="event")
    assert say(second, category="event").event == "added"
    assert actives() == {first, second}
