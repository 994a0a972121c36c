from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.lexical import query_terms, terms
from memory_core.lexical.words import MAX_TERM, MAX_TERMS


def shared(a: str, b: str) -> set[str]:
    return terms(a).counts.keys() & query_terms(b).counts.keys()


def test_chinese_gives_characters_and_pairs() -> None:
    assert terms("蓝色主题").counts == dict.fromkeys(
        ["蓝", "色", "主", "题", "蓝色", "色主", "主题"], 1
    )


def test_function_characters_are_no_terms_but_their_pairs_are() -> None:
    found = terms("我的猫").counts
    assert "我" not in found
    assert "的猫" in found


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("臺灣的圖書館", "台湾图书馆"),
        ("Ｐｙｔｈｏｎ", "python"),
        ("we met in a café", "cafe"),
        ("he was running", "run"),
        ("two dogs", "DOG"),
        ("don’t like Java", "java"),
        ("weighs 70.5kg", "70.5"),
        ("हिन्दी सीखना", "हिन्दी"),
        ("ภาษาไทย", "ไทย"),
    ],
)
def test_spellings_of_the_same_word_meet(stored: str, asked: str) -> None:
    assert shared(stored, asked)


def test_a_mixed_text_gives_words_of_both_scripts() -> None:
    found = terms("我们用PostgreSQL数据库").counts
    assert {"postgresql", "数据", "据库"} <= found.keys()


@pytest.mark.parametrize("said", ["5月2号", "May 2nd", "2023-05-02", "五月二日", "5/2"])
@pytest.mark.parametrize("asked", ["on May 2", "5月2日", "the 2nd of May", "2023/5/2"])
def test_every_way_to_write_a_date_is_one_term(said: str, asked: str) -> None:
    assert "@05-02" in shared(said, asked)


def test_the_moment_of_a_memory_is_among_its_terms() -> None:
    found = terms("去了博物馆", date(2023, 5, 2)).counts
    assert {"@05-02", "@2023-05-02", "@05", "2023"} <= found.keys()


def test_a_month_finds_its_days_but_a_day_does_not_find_its_month() -> None:
    assert "@05" in shared("dinner on May 7th", "what did I eat in May?")
    assert not shared("dinner on May 7th", "on May 9th?")


def test_numbers_that_are_no_dates_stay_numbers() -> None:
    assert terms("13/45 at 10:30").counts.keys() == {"13", "45", "10:30"}


def test_another_year_shares_the_day_but_not_the_full_date() -> None:
    assert shared("2022-05-02", "2023-05-02") == {"@05-02"}


def test_words_without_content_are_left_out() -> None:
    assert query_terms("what did you tell me about the museum?").counts == {"museum": 1}


def test_length_counts_every_occurrence() -> None:
    found = terms("tea, tea and coffee")
    assert found.counts == {"tea": 2, "coffe": 1}
    assert found.length == 3


def test_an_owners_name_is_dropped_from_the_query() -> None:
    assert query_terms("What is Linda's weight?", ["Linda"]).counts == {"weight": 1}


def test_a_name_alone_stays_a_query() -> None:
    assert query_terms("小明", ["小明"]).counts.keys() == {"小", "明", "小明"}


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "!?…", "的了吗"])
def test_text_without_words_has_no_single_terms(text: str) -> None:
    assert not [term for term in terms(text).counts if len(term) == 1]


def test_terms_of_a_huge_text_are_bounded_in_number_and_length() -> None:
    every_character = "".join(map(chr, range(0x4E00, 0x4E00 + 8_000)))
    assert len(terms(every_character).counts) <= MAX_TERMS
    assert all(len(term) <= MAX_TERM for term in terms("x" * 8_000).counts)


@given(st.text(max_size=300))
def test_any_text_has_storable_terms_whose_counts_add_up(text: str) -> None:
    found = terms(text)
    assert sum(found.counts.values()) == found.length
    for term in found.counts:
        assert 0 < len(term) <= MAX_TERM
        assert "\x00" not in term


@given(st.text(max_size=200))
def test_a_query_of_the_same_words_finds_the_memory(text: str) -> None:
    stored = terms(text).counts
    assert query_terms(text).counts.keys() <= stored.keys()
