import pytest

from memory_core.lexical import frequent_names, named, strip_names


@pytest.mark.parametrize(
    ("query", "names", "rest"),
    [
        ("What does Linda like?", ["Linda"], "What does like?"),
        ("Linda的体重是多少", ["Linda"], "体重是多少"),
        ("张曼婷的猫叫什么", ["张曼婷"], "猫叫什么"),
        ("曼婷喜欢什么", ["张曼婷"], "喜欢什么"),
        ("what does linda like", ["Linda"], "what does like"),
        ("Did John drive John Zhang’s car?", ["John Zhang"], "Did drive car?"),
        ("What will Will do?", ["Will"], "What will do?"),
        ("Lindas shop", ["Linda"], "Lindas shop"),
        ("new user interface", ["user"], "new user interface"),
        ("Linda", ["Linda"], "Linda"),
        ("", ["Linda"], ""),
    ],
)
def test_names_leave_the_query(query: str, names: list[str], rest: str) -> None:
    assert strip_names(query, names) == rest


def test_only_the_people_mentioned_are_named() -> None:
    assert named("Did Caroline call?", ["Caroline", "Melanie"]) == {"Caroline"}


def test_a_subject_of_few_memories_is_no_name_of_the_owner() -> None:
    subjects = {"小明": 40, "妈妈": 8, "耳机": 2, "": 10}
    assert frequent_names(subjects) == ["小明", "妈妈"]
