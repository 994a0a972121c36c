import pytest

from memory_core.saving.source_key import LONGEST, covering, fold


@pytest.mark.parametrize(
    "alias",
    [
        "https://evil.com",
        "HTTPS://Evil.COM/",
        "evil.com.",
        "evil.com:8443",
        "http://evil.com:80/",
        "https://user:secret@evil.com",
        "https://evil.com/?utm=1#top",
        "ｅｖｉｌ.com",
        "evil\u3002com",
        "ev\u200bil.com",
        " evil.com \t",
        "https://%65vil.com",
        "//evil.com",
        "https:\\\\evil.com",
        "www.evil.com",
        "https://www.evil.com/",
        "evil[.]com",
        "hxxps://evil(dot)com/",
        "<https://evil.com>",
        "[evil.com]",
        '"evil.com"',
        "\u0435vil.c\u043em",
        "xn--vil-qdd.com",
        "https://evil.com/.",
        "evil.com//",
    ],
)
def test_spellings_of_an_address_are_one_source(alias):
    assert fold(alias) == "evil.com"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("WeChat", "wechat "),
        ("ＷｅＣｈａｔ", "wechat"),
        ("web  search", "Web Search"),
        ("https://bücher.example", "xn--bcher-kva.example"),
        ("https://例子.中国/a/", "https://xn--fsqu00a.xn--fiqs8s/a"),
    ],
)
def test_names_fold_case_width_and_punycode(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bob@example.com", "example.com"),
        ("evil.com/a", "evil.com/b"),
        ("tool:search", "tool:fetch"),
        ("小明", "小红"),
        ("v1.2", "v1.3"),
    ],
)
def test_different_sources_stay_apart(one, other):
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    "alias",
    [
        "203.0.113.7",
        "203.0.113.7:8080",
        "http://203.0.113.7/",
        "http://[::ffff:203.0.113.7]:80/",
        "http://3405803783/",
        "http://0xcb007107",
        "http://0313.0.0x71.07/",
    ],
)
def test_spellings_of_a_number_are_one_source(alias):
    assert fold(alias) == "203.0.113.7"


@pytest.mark.parametrize("alias", ["[2001:db8::1]", "http://[2001:DB8:0::1]:443/"])
def test_an_address_in_brackets_loses_them_and_its_port(alias):
    assert fold(alias) == "2001:db8::1"


def test_the_path_of_an_address_is_written_in_one_way():
    for alias in ("evil.com/a/", "evil.com//a", "evil.com/b/../a", "evil.com/./a?x#y"):
        assert fold(alias) == "evil.com/a"


def test_letters_that_look_alike_are_one_for_machines_and_not_for_users():
    assert fold("w\u0435b search") == fold("web search")
    assert fold("\u0410lice", of_user=True) != fold("alice", of_user=True)
    assert fold("\u043c\u0430\u0448\u0430") == "\u043c\u0430\u0448\u0430"


def test_a_block_covers_what_is_below_an_address():
    assert covering("evil.com/a/b") == ["evil.com/a/b", "evil.com/a", "evil.com"]
    assert covering("a.b.evil.com") == ["a.b.evil.com", "b.evil.com", "evil.com"]
    assert covering("crm/export") == ["crm/export"]
    assert covering("v1.2/x") == ["v1.2/x"]
    assert covering("203.0.113.7/x") == ["203.0.113.7/x", "203.0.113.7"]
    assert covering("2001:db8::1/x") == ["2001:db8::1/x", "2001:db8::1"]
    assert len(covering("/".join(["x.evil.com", *"abcdefgh" * 9]))) < 20


def test_a_long_name_keeps_a_key_of_its_own():
    keys = {fold("x" * 300), fold("x" * 301), fold("\ufdfa" * 200)}
    assert len(keys) == 3
    assert all(len(key) <= LONGEST for key in keys)


def test_nothing_that_can_be_typed_breaks_the_key():
    for name in [
        "",
        " ",
        "://",
        "https://",
        "xn--",
        "xn--\ud800",
        "a." * 100,
        "@",
        "%",
    ]:
        assert isinstance(fold(name), str)
