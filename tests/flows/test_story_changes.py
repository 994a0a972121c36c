"""Stories of a memory that changes its mind when the user does, and only then."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.api.client import HttpAgent, new_agent
from tests.flows.story import SPACE, ask, listener, tell
from tests.saving.conftest import trust

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

START = datetime.now(UTC) - timedelta(days=10)
HISTORY = [
    ("我喜欢蓝色", "preference"),
    ("我住在上海", "profile"),
    ("我们的供应商是宏达公司", "fact"),
    ("我现在喜欢黑色", "preference"),
    ("我搬到北京了，现在住在北京", "profile"),
    ("供应商换成了蓝天公司", "fact"),
]


@pytest.fixture
def agent() -> HttpAgent:
    return listener()


def load(agent: HttpAgent, owner_id: str, *, backwards: bool) -> None:
    moments = [START + timedelta(days=n) for n in range(len(HISTORY))]
    lines = list(zip(HISTORY, moments, strict=True))
    for (content, category), at in reversed(lines) if backwards else lines:
        when = at.isoformat()
        tell(agent, owner_id, content, category=category, observed_at=when)


def present(agent: HttpAgent, owner_id: str) -> set[str]:
    page = agent.get("/v1/memory", owner_id=owner_id, status="active").json()
    return {one["content"] for one in page["memories"]}


def history_of(agent: HttpAgent, owner_id: str, memory_id: str) -> dict:
    return agent.get(f"/v1/memory/{memory_id}/history", owner_id=owner_id).json()


def test_a_history_loaded_backwards_gives_the_same_present(agent):
    load(agent, "forth", backwards=False)
    load(agent, "back", backwards=True)
    assert present(agent, "forth") == present(agent, "back")
    assert "我现在喜欢黑色" in present(agent, "back")
    assert "我喜欢蓝色" not in present(agent, "back")


def test_a_new_supplier_replaces_the_old_one(agent):
    old = tell(agent, "ming", "我们的供应商是宏达公司", category="fact")
    new = tell(agent, "ming", "供应商换成了蓝天公司", category="fact")
    assert new["superseded"] == [old["memory_id"]]
    assert ask(agent, "ming", "供应商是谁") == ["供应商换成了蓝天公司"]
    found = history_of(agent, "ming", new["memory_id"])
    assert [one["content"] for one in found["supersedes"]] == ["我们的供应商是宏达公司"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I live in Bonn", "I live in Berlin"),
        ("I work at Google", "I work at Apple"),
        ("My dentist is Dr. Patel", "My dentist is Dr. Novak"),
        ("我家的猫叫团子", "我家的猫叫麻薯"),
        ("我在百度上班", "我在京东上班"),
    ],
)
def test_another_value_in_the_same_place_replaces_on_any_channel(agent, first, then):
    source = {"kind": "user_input", "name": "wechat"}
    old = tell(agent, "ming", first, category="profile", source=source)
    other = {"kind": "user_input", "name": "web"}
    new = tell(agent, "ming", then, category="profile", source=other)
    assert new["superseded"] == [old["memory_id"]]
    assert present(agent, "ming") == {then}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I play the violin", "I play the drums"),
        ("My cat's name is Luna", "My dog's name is Nala"),
        ("我的网名是清风", "我妈妈退休了"),
        ("我对青霉素过敏", "我对乳胶过敏"),
    ],
)
def test_what_only_looks_alike_stays_beside_the_other(agent, first, then):
    tell(agent, "ming", first, category="profile")
    tell(agent, "ming", then, category="profile")
    assert present(agent, "ming") == {first, then}


def test_blue_then_black(agent):
    tell(agent, "ming", "我喜欢蓝色", category="preference")
    tell(agent, "ming", "我现在喜欢黑色", category="preference")
    assert ask(agent, "ming", "喜欢什么颜色") == ["我现在喜欢黑色"]


def test_two_users_who_say_the_same_keep_their_own(agent):
    one = tell(agent, "ann", "I like blue", category="preference")
    other = tell(agent, "ben", "I like blue", category="preference")
    assert (one["event"], other["event"]) == ("added", "added")
    assert one["memory_id"] != other["memory_id"]
    answer = agent.post("delete", owner_id="ann", memory_id=one["memory_id"])
    assert answer.json()["deleted"]
    assert ask(agent, "ann", "colour") == []
    assert ask(agent, "ben", "colour") == ["I like blue"]


def test_three_rewordings_of_no_java_are_one_memory_with_history(agent):
    first = tell(agent, "ann", "I don't want to use Java", category="constraint")
    for words in ("Please don't use Java", "Never use Java"):
        again = tell(agent, "ann", words, category="constraint")
        assert again["event"] == "reinforced"
    assert present(agent, "ann") == {"I don't want to use Java"}
    found = history_of(agent, "ann", first["memory_id"])
    assert {one["content"] for one in found["merged"]} == {
        "Please don't use Java",
        "Never use Java",
    }


CLAIMS = [
    (
        "My delivery address is Nanjing Road 5",
        "My delivery address is Beijing Road 9",
        "delivery address",
    ),
    ("我的收货地址是南京路5号", "我的收货地址是北京路9号", "收货地址"),
    ("I am allergic to peanuts", "I am not allergic to peanuts", "peanuts"),
    ("My blood type is A", "My blood type is O", "blood type"),
    ("我的血型是A型", "我的血型是O型", "血型"),
]


@pytest.mark.parametrize(("fact", "claim", "query"), CLAIMS)
@pytest.mark.parametrize("subject", ["", "ann"])
def test_a_tool_cannot_change_a_permanent_fact(agent, fact, claim, query, subject):
    trust("user_input", "ann", namespace=SPACE)
    tell(agent, "ann", fact, category="profile", tier="permanent")
    scopes = ("recall", "save")
    tool = new_agent(namespace=SPACE, shared={SPACE: "rw"}, scopes=scopes)
    source = {"kind": "tool_result", "name": "crm"}
    said = tell(tool, "ann", claim, category="profile", source=source, subject=subject)
    assert said["status"] == "pending"
    assert present(agent, "ann") == {fact}
    assert ask(agent, "ann", query) == [fact]
