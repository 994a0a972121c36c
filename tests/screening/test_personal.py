"""Personal data are found with their check digits, in Chinese and in English."""

import pytest

from memory_core.screening.personal import chinese_id, iban, luhn, personal_kinds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("写信到 zhang.san@example.com.cn 即可", ("email",)),
        ("我的手机号是13812345678", ("phone",)),
        ("座机 0571-87654321", ("phone",)),
        ("Call me at +44 20 7946 0958", ("phone",)),
        ("my number is (212) 555-0187", ("phone",)),
        ("身份证11010519491231002X", ("id_card",)),
        ("card 4111 1111 1111 1111", ("bank_card",)),
        ("IBAN GB82 WEST 1234 5698 7654 32", ("iban",)),
        ("ssn 219-09-9999", ("ssn",)),
        ("车牌 浙A12345", ("plate",)),
        ("from 203.0.113.9", ("ip",)),
        ("护照 E12345678", ("passport",)),
    ],
)
def test_kinds_of_personal_data(text: str, kinds: tuple[str, ...]) -> None:
    assert personal_kinds(text) == kinds


@pytest.mark.parametrize(
    "text",
    [
        "订单号 2023110512345678",
        "version 1.2.3.4567",
        "书号 ISBN 978-7-652257229",
        "sha 2c26b46b68ffc68ff99b453c1d304134",
        "it costs 1,250,000 in 2023",
        "身份证110105194912310021",
        "at 10:30 on 2024-05-01",
        "127.0.0.1",
    ],
)
def test_numbers_that_only_look_alike(text: str) -> None:
    assert personal_kinds(text) == ()


def test_check_digits() -> None:
    assert luhn("4111111111111111")
    assert not luhn("4111111111111112")
    assert chinese_id("11010519491231002X")
    assert not chinese_id("11010519491331002X")
    assert iban("GB82 WEST 1234 5698 7654 32")
    assert not iban("GB82 WEST 1234 5698 7654 33")
