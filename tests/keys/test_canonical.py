import pytest

from memory_core.keys.canonical import canonical, readings


@pytest.mark.parametrize(
    "spelling",
    ["Ming.Li@Example.com", "ming.li+shop@example.com", " ming.li@example.com. "],
)
def test_spellings_of_one_address_have_one_form(spelling):
    assert canonical("email", spelling) == "ming.li@example.com"


def test_dots_count_except_where_the_provider_ignores_them():
    assert canonical("email", "m.ing@example.com") != canonical(
        "email", "ming@example.com"
    )
    assert canonical("email", "M.i.ng@googlemail.com") == "ming@gmail.com"


def test_a_plus_at_the_front_is_not_cut_to_nothing():
    assert canonical("email", "+ming@example.com") == "+ming@example.com"


def test_domains_in_other_letters_are_compared_in_ascii():
    assert canonical("email", "a@bücher.example") == "a@xn--bcher-kva.example"
    assert canonical("email", "a@ｅｘａｍｐｌｅ.com") == "a@example.com"


@pytest.mark.parametrize(
    "spelling",
    [
        "+86 138 1234 5678",
        "0086-138-1234-5678",
        "138 1234 5678",
        "＋８６１３８１２３４５６７８",
    ],
)
def test_spellings_of_one_number_have_one_form(spelling):
    assert canonical("phone", spelling) == "+8613812345678"


def test_a_number_without_a_country_keeps_its_digits():
    assert canonical("phone", "(020) 7946-0018") == "02079460018"


def test_names_are_compared_without_case_width_and_spacing():
    assert canonical("name", " Ｌｉ   Ming") == "li ming"


def test_owner_ids_keep_their_case_but_not_their_composition():
    assert canonical("owner", "Ming") != canonical("owner", "ming")
    assert canonical("owner", "Jose\u0301") == canonical("owner", "Jos\u00e9")


def test_an_unknown_kind_is_an_error():
    with pytest.raises(KeyError):
        canonical("face", "x")


def test_an_owner_id_may_also_be_an_address_or_a_number():
    assert readings("user-42") == [("owner", "user-42")]
    assert ("email", "ming@example.com") in readings("Ming+1@example.com")
    assert ("phone", "+8613812345678") in readings("13812345678")
    assert readings("20460018") == [("owner", "20460018")]
