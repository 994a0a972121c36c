import pytest

from memory_core.actions import access, changes, memories
from memory_core.contracts.enums import Status
from memory_core.models import Corpus, Memory, MemoryUse, MemoryVersion
from tests.consolidation.conftest import OWNER, row, use_of
from tests.factories import make_caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def tool(voice):
    """A caller in the same namespace who may not say that a user said it."""
    return make_caller(
        "tool",
        namespace="shop",
        shared={"shop": "rw"},
        scopes=("recall", "save", "delete"),
    )


def scope_of(by):
    return access.read_scope(by, OWNER)


def test_loaded_rewordings_become_one_and_importance_adds_up(say, consolidate):
    first = say("No Java, please", loaded=True, days_ago=3, importance=0.4)
    second = say("Please don't use Java", loaded=True, days_ago=1, importance=0.3)
    job = consolidate()
    assert job.counts == {"merged": 1}
    assert row(first).status == Status.ACTIVE
    assert row(first).importance == pytest.approx(0.7)
    assert row(second).merged_into_id == first
    assert row(second).content == "Please don't use Java"
    [case] = job.cases
    assert (case["memory_id"], case["into"]) == (str(second), str(first))
    assert case["relation"] == "duplicate"
    assert case["p"] > 0.5
    assert MemoryVersion.objects.get(memory=first).event == "merged"


def test_merging_is_idempotent(say, consolidate):
    first = say("No Java, please", loaded=True, importance=0.4)
    say("Please don't use Java", loaded=True, importance=0.3)
    consolidate()
    assert consolidate().counts == {}
    assert row(first).importance == pytest.approx(0.7)


def test_a_merge_is_undone_with_its_importance(say, consolidate, voice):
    first = say("No Java, please", loaded=True, days_ago=3, importance=0.4)
    second = say("Please don't use Java", loaded=True, importance=0.3)
    consolidate()
    changes.unmerge(by=voice, scope=scope_of(voice), memory_id=second)
    assert row(second).status == row(first).status == Status.ACTIVE
    assert row(first).importance == pytest.approx(0.4)
    assert consolidate().counts == {}


def test_what_a_tool_says_is_merged_into_the_users_words_and_adds_nothing(
    say, consolidate, tool
):
    tools = say(
        "Please don't use Java",
        loaded=True,
        days_ago=5,
        source_kind="tool_result",
        by=tool,
        importance=1.0,
    )
    users = say("No Java, please", loaded=True, importance=0.4)
    consolidate()
    assert row(tools).merged_into_id == users
    assert row(users).importance == pytest.approx(0.4)
    assert row(users).source.kind == "user_input"
    assert use_of(users).base_score == pytest.approx(0.56)


def test_refining_memories_are_united_with_both_texts_and_ids(say, consolidate):
    general = say("我喜欢冷色调", days_ago=2, importance=0.5, tags=("color",))
    special = say("我喜欢蓝色", days_ago=1, importance=0.3, tags=("blue",))
    job = consolidate()
    assert job.counts == {"merged": 2}
    united = Memory.unscoped.active().get()
    assert united.content == "我喜欢冷色调；我喜欢蓝色"
    assert united.derived_from == [general, special]
    assert united.importance == pytest.approx(0.8)
    assert united.tags == ["color", "blue"]
    assert united.observed_at == row(special).observed_at
    assert row(general).merged_into_id == row(special).merged_into_id == united.pk
    assert united.source_id == row(general).source_id
    assert consolidate().counts == {}


def test_a_union_is_undone(say, consolidate, voice):
    general = say("我喜欢冷色调")
    special = say("我喜欢蓝色")
    consolidate()
    united = Memory.unscoped.active().get()
    changes.unmerge(by=voice, scope=scope_of(voice), memory_id=united.pk)
    active = Memory.unscoped.active().values_list("pk", flat=True)
    assert set(active) == {general, special}
    assert row(united.pk).status == Status.ARCHIVED
    assert consolidate().counts == {}


@pytest.mark.parametrize("was_undone", [False, True])
def test_a_part_that_is_deleted_is_not_in_the_union_any_more(
    say, consolidate, voice, was_undone
):
    general = say("我喜欢冷色调")
    special = say("我喜欢蓝色")
    consolidate()
    united = Memory.unscoped.active().get()
    if was_undone:
        changes.unmerge(by=voice, scope=scope_of(voice), memory_id=united.pk)
    assert memories.forget(by=voice, scope=scope_of(voice), memory_id=special)
    left = Memory.unscoped.get()
    assert (left.pk, left.status, left.merged_into_id) == (
        general,
        Status.ACTIVE,
        None,
    )
    assert not MemoryVersion.objects.filter(content__contains="蓝").exists()
    assert Corpus.objects.get().memories == 1


def test_an_inference_is_not_united_with_what_the_user_said(say, consolidate, tool):
    say("我喜欢冷色调")
    say("我喜欢蓝色", source_kind="inference", by=tool)
    assert consolidate().counts == {}


def test_the_later_statement_wins_over_one_that_slipped_in(say, consolidate):
    old = say("供应商是华为", loaded=True, days_ago=9, category="fact")
    new = say("供应商换成了中兴", loaded=True, days_ago=2, category="fact")
    job = consolidate()
    assert job.counts == {"superseded": 1}
    assert row(old).superseded_by_id == new
    assert row(old).until == row(new).observed_at
    assert row(new).decision["supersedes"] == [str(old)]
    assert job.cases[0]["relation"] == "supersede"


def test_a_tools_later_contradiction_waits_for_a_person(say, consolidate, tool):
    users = say("供应商是华为", loaded=True, days_ago=9, category="fact")
    tools = say(
        "供应商换成了中兴",
        loaded=True,
        days_ago=2,
        category="fact",
        source_kind="tool_result",
        by=tool,
    )
    job = consolidate()
    assert job.counts == {"held": 1}
    assert row(users).status == Status.ACTIVE
    assert row(tools).status == Status.PENDING
    assert row(tools).decision["contradicts"] == [str(users)]


def test_what_was_restored_beside_its_successor_stays_apart(say, consolidate, voice):
    old = say("供应商是华为", days_ago=9, category="fact")
    new = say("供应商换成了中兴", days_ago=2, category="fact")
    assert row(old).superseded_by_id == new
    changes.restore(by=voice, scope=scope_of(voice), memory_id=old)
    assert consolidate().counts == {}


def test_events_and_other_peoples_memories_are_left_alone(say, consolidate):
    say("No Java, please", category="event", loaded=True)
    say("Please don't use Java", category="event", loaded=True)
    say("No Java, please", loaded=True)
    say("Please don't use Java", loaded=True, owner_id="somebody")
    assert consolidate().counts == {}


def test_a_dry_run_tells_each_pair_once(say, consolidate):
    say("No Java, please", loaded=True, importance=0.4)
    say("Please don't use Java", loaded=True)
    job = consolidate(dry_run=True)
    assert job.counts == {"merged": 1}
    assert Memory.unscoped.active().count() == 2


def test_the_strength_of_the_strongest_is_kept(say, consolidate):
    first = say("No Java, please", loaded=True, days_ago=60)
    second = say("Please don't use Java", loaded=True, days_ago=0)
    MemoryUse.objects.filter(pk=second).update(base_score=0.9, access_count=4)
    consolidate()
    use = use_of(first)
    assert use.base_score == pytest.approx(0.9, abs=1e-3)
    assert use.access_count == 4
    assert row(first).confirmed_at == row(second).observed_at


def test_a_dry_run_names_what_was_made_of_the_forgotten(say, consolidate, voice):
    say("我喜欢冷色调", session_id="s1")
    say("我喜欢蓝色", session_id="s2")
    consolidate()
    united = Memory.unscoped.active().get()
    ask = {"by": voice, "scope": scope_of(voice), "session_id": "s2"}
    asked = memories.forget_matching(**ask, dry_run=True)
    assert united.pk in asked.memory_ids
    assert {view.memory_id for view in asked.memories} == set(asked.memory_ids)
    done = memories.forget_matching(**ask, dry_run=False)
    assert set(done.memory_ids) == set(asked.memory_ids)
