"""Numbers, times and dates in Chinese and English, as comparable atoms."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple


class Atom(NamedTuple):
    """A value found in folded text: ``kind`` names what it measures."""

    start: int
    end: int
    kind: str
    value: float


_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_BIG = {"万": 10_000, "亿": 100_000_000}


def _counted(first: int, words: str, step: int = 1) -> dict[str, int]:
    return {word: first + i * step for i, word in enumerate(words.split())}


_ENGLISH = (
    _counted(2, "two three four five six seven eight nine ten eleven twelve thirteen")
    | _counted(14, "fourteen fifteen sixteen seventeen eighteen nineteen")
    | _counted(20, "twenty thirty forty fifty sixty seventy eighty ninety", step=10)
    | {"dozen": 12, "hundred": 100, "thousand": 1000}
)
_ORDINALS = _counted(3, "third fourth fifth sixth seventh eighth ninth tenth")
_MONTHS = (
    _counted(1, "january february march april may june july august september october")
    | _counted(11, "november december")
    | {"jan": 1, "feb": 2, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sept": 9}
    | {"oct": 10, "nov": 11, "dec": 12}
)
_WEEKDAYS = (
    _counted(1, "monday tuesday wednesday thursday friday saturday sunday")
    | _counted(1, "一 二 三 四 五 六 日")
    | {"天": 7}
)
_TIMES_A = {"once": 1, "twice": 2}

_CN = "[零〇一二两三四五六七八九十百千万亿]"
_NUM = rf"(?:\d[\d,]*(?:\.\d+)?|{_CN}+)"
_MEASURES = (
    "周岁|岁|个|只|条|次|天|周|年级|年|楼|层|元|块|人|台|份|页|部|杯|瓶|斤|公斤|克|毫克|"
    "公里|米|厘米|小时|分钟|秒|倍|遍|种|位|名|家|辆|件|本|折|顿|场|间|张|期|度|室|栋|支|双|"
    "套|门|轮|针|粒|片|课|章|级|码|万|千|百"
)
# Names that begin with a numeral.
_NO_NUMBER = (
    "万一|千万|百度|百事|百胜|百合|万达|万科|万象|千问|千岛|三星|三亚|三明|三顿半|"
    "五菱|五粮|七喜|八马|九阳|九江|九寨|一汽|一加|四川|六安|十堰"
)
_WORDS = "|".join(sorted(_ENGLISH, key=len, reverse=True))
_MONTH_WORDS = "|".join(sorted(_MONTHS, key=len, reverse=True))

_PATTERN = re.compile(
    rf"(?P<iso>\b(?P<iso_y>\d{{4}})-(?P<iso_m>\d\d?)-(?P<iso_d>\d\d?)\b)"
    rf"|(?P<zh_time>(?P<part>凌晨|早上|早晨|上午|中午|下午|晚上|傍晚|夜里)?\s*"
    rf"(?P<hour>{_NUM})\s*点(?:钟|(?P<half>半)|(?P<minute>{_NUM})分?)?(?!儿|心|菜|餐|名|也|都))"
    rf"|(?P<zh_date>(?:(?P<year>\d{{2,4}})\s*年\s*)?(?P<month>{_NUM})\s*月(?:份|初|中|底)?"
    rf"(?:\s*(?P<mday>{_NUM})\s*[日号])?)"
    rf"|(?P<zh_mday>(?P<only_mday>{_NUM})\s*[日号])"
    rf"|(?:周|星期|礼拜)(?P<zh_wday>[一二三四五六日天](?!次|个))"
    rf"|(?P<en_time>\b(?P<en_hour>\d{{1,2}}|{_WORDS})(?::(?P<en_min>\d\d))?\s*"
    rf"(?:(?P<ampm>[ap])\.?m\b\.?|o'clock|"
    rf"in the (?P<en_part>morning|afternoon|evening)))"
    rf"|(?P<clock>\b(?P<clock_h>\d{{1,2}}):(?P<clock_m>\d\d)\b)"
    rf"|(?P<en_at>\bat (?P<at_hour>\d{{1,2}}|{_WORDS})\b"
    rf"(?![:.-]?\s*(?:\d|%|°|the|miles|km|st|degree|percent|dollar|euro|kg)))"
    rf"|(?P<en_date>\b(?P<en_month>{_MONTH_WORDS})\.? (?P<en_mday>\d{{1,2}})"
    rf"(?:st|nd|rd|th)?\b(?!\d))"
    rf"|(?P<en_dmon>\b(?P<d_mday>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?"
    rf"(?P<d_month>{_MONTH_WORDS})\b)"
    rf"|(?P<en_mon>\b(?:in|of|by|since|until|every|on) (?P<o_month>{_MONTH_WORDS})\b)"
    rf"|\b(?P<en_wday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b"
    rf"|(?P<id>\b(?=[a-z]*\d)(?:[a-z]{{1,3}}-?\d[a-z\d]*|\d+[a-z]{{1,2}}\d[a-z\d]*)\b)"
    rf"|(?P<en_times>\b(?P<times>once|twice) (?:a|an|per|every)\b)"
    rf"|(?P<ordinal>\b(?:\d+(?:st|nd|rd|th)|third|fourth|fifth|sixth|seventh|eighth|"
    rf"ninth|tenth)\b)"
    rf"|(?P<zh_num>(?!{_NO_NUMBER})(?:{_CN}*[十百千万亿]{_CN}+|{_CN}+[十百千万亿]|{_CN}{{3,}})"
    rf"|(?!{_NO_NUMBER}){_CN}(?={_MEASURES}))"
    rf"|(?P<digits>\d[\d,]*(?:\.\d+)*\s*(?P<scale>[万亿千百]|k\b|thousand\b|m\b|million\b)?)"
    rf"|(?P<en_word>\b(?:{_WORDS})(?:[- ](?:{_WORDS}))?\b)"
)


_HINT = re.compile(
    rf"\d|{_CN}|周天|周日|期天|期日|\b(?:{_WORDS}|{_MONTH_WORDS}|once|twice|\w+day|"
    rf"third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
)


# A minus, not the middle of a range, a date, a name or a telephone number.
_MINUS = re.compile(rf"(?<![\da-z)%°年月日号点]|{_CN})(?<![\d%] )-[$€£¥]?$")


def find_atoms(folded: str) -> list[Atom]:
    """The atoms of folded text, in order; one date gives a month and a day."""
    found: list[Atom] = []
    if not _HINT.search(folded):
        return found
    for match in _PATTERN.finditer(folded):
        start, end = match.span()
        sign = -1 if _MINUS.search(folded, max(0, start - 4), start) else 1
        found.extend(
            Atom(start, end, kind, sign * value if kind == "num" else value)
            for kind, value in _values(match)
        )
    return found


def _values(match: re.Match[str]) -> list[tuple[str, float]]:
    found = match.groupdict()
    reader = _READERS.get(match.lastgroup or "")
    if reader is None:
        reader = next(r for name, r in _READERS.items() if found.get(name))
    return reader(found)


Groups = dict[str, str | None]
Values = list[tuple[str, float]]


def _iso(g: Groups) -> Values:
    return [
        ("year", float(g["iso_y"] or 0)),
        ("month", float(g["iso_m"] or 0)),
        ("mday", float(g["iso_d"] or 0)),
    ]


def _zh_time(g: Groups) -> Values:
    hour = chinese_number(g["hour"] or "")
    if g["part"] in ("下午", "晚上", "傍晚") and hour < 12:
        hour += 12
    minute = 30.0 if g["half"] else chinese_number(g["minute"] or "0")
    return [("time", hour + minute / 60)]


def _zh_date(g: Groups) -> Values:
    values = [("month", chinese_number(g["month"] or ""))]
    if g["mday"]:
        values.append(("mday", chinese_number(g["mday"])))
    if g["year"]:
        values.append(("year", float(g["year"])))
    return values


def _en_time(g: Groups) -> Values:
    hour = _english(g["en_hour"] or "")
    late = g["ampm"] == "p" or g["en_part"] in ("afternoon", "evening")
    if late and hour < 12:
        hour += 12
    return [("time", hour + float(g["en_min"] or 0) / 60)]


def _number(g: Groups) -> Values:
    raw = (g["digits"] or "").replace(",", "")
    scale = g["scale"]
    if scale:
        raw = raw[: -len(scale)]
    raw = raw.strip()
    if raw.count(".") > 1:
        return [("version", float(hash_digits(raw)))]
    return [("num", float(raw) * _scale(scale))]


def hash_digits(raw: str) -> int:
    """A whole number that stands for dotted digits ("1.2.3" -> 1002003).

    Below 2**53, so that it is a float too, however many parts there are.
    """
    value = 0
    for part in raw.split("."):
        value = (value * 1000 + int(part or 0)) % 2**53
    return value


_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "百": 1e2, "千": 1e3}


def _scale(word: str | None) -> float:
    return _SCALES.get(word, float(_BIG.get(word, 1))) if word else 1.0


def _identity(g: Groups) -> Values:
    raw = (g["id"] or "").replace("-", "")
    return [("id", float(int.from_bytes(raw.encode()[:6], "big")))]


def _ordinal(g: Groups) -> Values:
    raw = g["ordinal"] or ""
    if raw in _ORDINALS:
        return [("num", float(_ORDINALS[raw]))]
    return [("num", float(raw[:-2]))]


_READERS: dict[str, Callable[[Groups], Values]] = {
    "iso": _iso,
    "zh_time": _zh_time,
    "zh_date": _zh_date,
    "zh_mday": lambda g: [("mday", chinese_number(g["only_mday"] or ""))],
    "zh_wday": lambda g: [("weekday", float(_WEEKDAYS[g["zh_wday"] or ""]))],
    "en_time": _en_time,
    "clock": lambda g: [
        ("time", float(g["clock_h"] or 0) + float(g["clock_m"] or 0) / 60)
    ],
    "en_at": lambda g: [("time", _english(g["at_hour"] or ""))],
    "en_date": lambda g: [
        ("month", float(_MONTHS[g["en_month"] or ""])),
        ("mday", float(g["en_mday"] or 0)),
    ],
    "en_dmon": lambda g: [
        ("month", float(_MONTHS[g["d_month"] or ""])),
        ("mday", float(g["d_mday"] or 0)),
    ],
    "en_mon": lambda g: [("month", float(_MONTHS[g["o_month"] or ""]))],
    "en_wday": lambda g: [("weekday", float(_WEEKDAYS[g["en_wday"] or ""]))],
    "id": _identity,
    "en_times": lambda g: [("num", float(_TIMES_A[g["times"] or ""]))],
    "ordinal": _ordinal,
    "zh_num": lambda g: [("num", chinese_number(g["zh_num"] or ""))],
    "digits": _number,
    "en_word": lambda g: [("num", _english(g["en_word"] or ""))],
}


def _english(raw: str) -> float:
    if raw.isdigit():
        return float(raw)
    total = 0
    for word in re.split("[- ]", raw):
        value = _ENGLISH.get(word, 0)
        total = max(total, 1) * value if value in (100, 1000) else total + value
    return float(total)


def chinese_number(raw: str) -> float:
    """The value of digits or Chinese numerals ("三十一" -> 31, "五万" -> 50000)."""
    raw = raw.replace(",", "")
    if re.fullmatch(r"\d+(?:\.\d+)?", raw):
        return float(raw)
    if all(c in _DIGITS for c in raw):
        return float("".join(str(_DIGITS[c]) for c in raw) or 0)
    total = section = digit = 0.0
    for char in raw:
        if char in _BIG:
            total += (section + digit or 1) * _BIG[char]
            section = digit = 0.0
        elif char in _UNITS:
            section += (digit or 1) * _UNITS[char]
            digit = 0.0
        else:
            digit = float(_DIGITS.get(char, 0))
    return total + section + digit
