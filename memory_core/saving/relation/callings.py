"""Names and values that two statements mention, and whether they differ."""

import re
from collections.abc import Iterator

from memory_core.saving.relation.normal import fold
from memory_core.saving.relation.signs import signed_letters

# A clause that ends in the name: "我养的狗叫毛毛", "her cat is called Tom".
_CHINESE = re.compile(
    r"(?:叫做|叫作|名叫|叫|名字是)\s*[“\"「]?([\u4e00-\u9fffA-Za-z·]{1,8})"
    r"(?=$|[\s，。！？,.!?；;、”\"」])"
)
_ENGLISH = re.compile(r"\b(?:called|named|name is|name's)\s+[\"“]?([A-Z][\w-]*)")


def names_differ(old: str, new: str) -> bool:
    """Return whether both texts say how something is called, and never the same.

    Such texts do not repeat one another, however alike they are.
    """
    one, other = set(_names(old)), set(_names(new))
    return bool(one and other) and not one & other


def _names(text: str) -> Iterator[str]:
    for pattern in (_CHINESE, _ENGLISH):
        yield from (name.casefold() for name in pattern.findall(text))


# Latin letters and figures in a Chinese sentence are values: A型, Python, a@b.cn.
_HAN = re.compile(r"[\u4e00-\u9fff]")
_VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.@_+#-]*")
_ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+")


def values_differ(old: str, new: str) -> bool:
    """Return whether each text has a value in Latin letters that the other one lacks.

    In Chinese sentences every such word is one, elsewhere mail addresses only.
    """
    pattern = _VALUE if _HAN.search(old) and _HAN.search(new) else _ADDRESS
    one = {found.casefold() for found in pattern.findall(old)}
    other = {found.casefold() for found in pattern.findall(new)}
    return bool(one - other) and bool(other - one)


def letter_signs_differ(old: str, new: str) -> bool:
    """Return whether the texts give blood groups or grades that differ in sign."""
    return signed_letters(fold(old)) != signed_letters(fold(new))


_SURNAME = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕"
    "苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔崔康毛邱秦江史顾"
    "侯邵孟钱严汤尹黎易常武乔贺赖龚葛柴雷齐牛樊施颜倪安章鲁韦俞翁柳柯甘"
)
PERSON = re.compile(
    rf"[小老阿](?:[{_SURNAME}]|[敏杰强珍莲勇明华英芳丽军伟涛])(?![师板家])"
    rf"|[{_SURNAME}](?:先生|女士|小姐|老师|医生|大夫|教练|师傅|经理|总|姐|哥|叔|姨|婶|伯)"
    r"|\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Uncle|Aunt|Auntie)\b\.? [A-Z]\w+"
)
# What has a letter, a figure or a name of its own: "Team Blue", "Room 4".
_LABELLED = re.compile(
    r"(?:The )?(?:Team|Room|Building|Class|Group|Branch|Project|Line|Unit) "
    r"[A-Z\d][\w-]*"
)


def people_differ(old: str, new: str) -> bool:
    """Return whether both texts name people as 小李 or Mr. Lee, and never the same."""
    one, other = set(PERSON.findall(old)), set(PERSON.findall(new))
    return bool(one and other) and not one & other


def of_others(old: str, new: str) -> bool:
    """Return whether the texts begin with different named people or labelled things."""
    return any(
        one is not None and other is not None and one[0] != other[0]
        for one, other in (
            (pattern.match(old), pattern.match(new)) for pattern in (PERSON, _LABELLED)
        )
    )
