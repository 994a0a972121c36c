"""What a request to forget asks for: a statement, a topic, or everything."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from memory_core.lexical.normalise import fold_width

LONGEST = 1_000
"""Characters of a request that are read; what it asks for stands at its start."""


class Kind(Enum):
    """How far a request reaches."""

    STATEMENT = auto()
    TOPIC = auto()
    EVERYTHING = auto()


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be forgotten, without the words that ask for it."""

    kind: Kind
    matter: str


_I = re.IGNORECASE

_PLEASE = (
    r"(?:(?:please|kindly|now|ok|okay|hey|can you|could you|would you|you can"
    r"|i want you to|i would like you to|i'd like you to)[,\s]+)*"
)
_ASKED = re.compile(
    rf"^\s*{_PLEASE}(?:forget|delete|remove|erase|(?:don't|do not|no longer|stop)\s+"
    r"(?:remember|remembering|keep|keeping))\b\s*[:：,]?\s*",
    _I,
)
_ASKED_IN_CHINESE = re.compile(
    r"^\s*(?:请|麻烦|帮我|帮忙|你|要|可以|把)*"
    r"(?:忘掉|忘记|忘了|删掉|删了|删除|清除|抹掉|(?:别|不要)再?(?:记得|记住|记着|记))"
    r"(?:吧|掉|了)?[：:，,]?\s*"
)
_MOVED = re.compile(
    r"^\s*(?:请|麻烦|帮我|帮忙|你|要|可以)*[把将](?P<what>.+?)"
    r"(?P<all>都|全部|全|统统)?(?:给我)?"
    r"(?:忘掉|忘记|忘了|忘|删掉|删了|删除|清除|抹掉)(?:吧|了)?[。！!]?\s*$"
)
_END = re.compile(r"(?:[\s.!。！,，]|\bplease\b|\bthanks\b|\bthank you\b|吧$)+$", _I)

_EVERYTHING = re.compile(
    r"(?:about\s+)?(?:everything|anything|all|it all|all of it"
    r"|(?:all\s+)?(?:of\s+)?my (?:memories|data|information))"
    r"(?:\s+(?:that\s+)?(?:you (?:know|remember|have|stored|saved|learned)"
    r"|(?:i|we)(?:'ve| have)?(?: ever)? (?:said|told you|mentioned|shared)))?"
    r"(?:\s+(?:about|of|on|to|with)\s+(?:me|myself|you|us))*(?:\s+so far)?",
    _I,
)
_OWNER = re.compile(r"(?:about\s+)?(?:me|myself|who i am|all about me)", _I)
_EVERYTHING_IN_CHINESE = re.compile(
    r"(?:所有|一切|全部)?(?:关于|有关)?(?:我|我们)?(?:的)?(?:所有|一切|全部)的?"
    r"(?:信息|记忆|资料|数据|事情?|内容|东西|记录)?"
    r"|(?:所有|一切|全部)(?:关于|有关)?(?:我|我们)的?"
    r"(?:信息|记忆|资料|数据|事情?|内容|东西|记录)?"
    r"|(?:关于|有关)我的?(?:信息|记忆|资料|数据|事情?|内容|东西|记录)?"
    r"|我的?(?:所有|一切|全部)?(?:信息|记忆|资料|数据|记录)"
    r"|(?:所有|一切|全部)?我(?:之前|以前)?(?:跟你|和你|对你)?"
    r"(?:说过|告诉过?你)的(?:所有|一切|全部)(?:话|事情?|内容|东西)?"
    r"|(?:所有|一切|全部)我?(?:跟你|和你|对你)?(?:说过|告诉过?你)的"
    r"(?:话|事情?|内容|东西)?"
)
_OWNER_IN_CHINESE = re.compile(r"(?:关于|有关)?我(?:这个人|的)?")
_SAID_IN_CHINESE = re.compile(r"我(?:跟你|和你|对你)?(?:说过|说|告诉过?你)的(?:话|事)?")

_FACT = re.compile(r"(?:about\s+)?(?:the fact\s+)?that\s+(?!thing\b|stuff\b)", _I)
_SAID_THAT = re.compile(
    r"(?:when|that|what)?\s*(?:i|we)(?:'ve| have)? (?:said|told you|mentioned)"
    r"(?:\s+that)?\s+(?=(?:i|we|my|our)\b)",
    _I,
)
_SAID_ABOUT = re.compile(
    r"(?:(?:everything|anything|all|what(?:ever)?|(?:all )?(?:that |the |those |my )?"
    r"(?:thing|stuff|fact|information|detail|memory|memorie)s?)\s+)?"
    r"(?:(?:that\s+)?(?:(?:i|we)(?:'ve| have)?(?: ever| just| once)?"
    r" (?:said|told you|mentioned|shared)(?: to you)?"
    r"(?: yesterday| today| earlier| before| just now| last \w+)?"
    r"|you (?:know|remember|have|stored|saved))\s+)?"
    r"(?:about|of|on|regarding|concerning)\s+",
    _I,
)
_SAID = re.compile(
    r"(?:everything|anything|all|what(?:ever)?)?\s*(?:that\s+)?(?:i|we)(?:'ve| have)?"
    r"(?: ever| just| once)? (?:said|told you|mentioned|shared)\b",
    _I,
)
_SAID_ABOUT_IN_CHINESE = re.compile(
    r"(?:所有|一切|全部)?(?:关于|有关)?(?:(?:我|我们)?(?:之前|以前|刚才|刚刚|上次|曾经|昨天|今天)?"
    r"(?:跟你|和你|对你|向你)?(?:说过|说|提到过|提到|提过|讲过|讲|告诉过你|告诉你)的?"
    r"(?:话$)?)?"
    r"(?:所有|一切)?(?:关于|有关)?的?"
)
_EVENT = re.compile(r"(?:这|那)(?:件|个|回)?事情?(?:儿)?$")
_MATTER = re.compile(
    r"(?:的(?:一切|所有|全部|事情?|信息|内容|记忆|情况|资料|话|记录)(?:信息|内容|事情?)?"
    r"|的所有事情?)$"
)
_INDIRECT = re.compile(
    r"(?:what|which|where|when|who|whom|whose|how|why|whether|if)\b", _I
)
_CLAUSE = re.compile(
    r"(?:i|we|he|she|they|it)(?:'m|'ve|'re|'s|'d|'ll|\s+\w+)"
    r"|(?!(?:all|any|the|what)\b)(?:[\w'-]+\s+){1,6}?"
    r"(?:is|are|was|were|am|has|have|had|does|do|did|isn't|aren't|wasn't|doesn't|don't"
    r"|can|can't|will|won't|likes?|loves?|hates?|lives?|works?|wants?|owns?)\s+\S",
    _I,
)
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_CHINESE_CLAUSE = re.compile(
    r"(?:我的)?.{1,12}?(?:(?:是|叫|姓|有|没|不|在|喜欢|讨厌|爱|想|要|会|能|吃|喝|住|去"
    r"|来|开|养|买|用|玩|弹|学|打|做|看|听|读|写|怕|得了|患).|对.+过敏|[^的]{2,}[好差坏糟忙累]$)"
)
_OWN = re.compile(r"^我(?=.)(?!们|的|家)")
_NOUN = re.compile(r"(?:我|我们)的(?!.*(?:是|叫|姓|有|没|不|在)).*|.*的")


def read(request: str) -> Wish:
    """Return what a request means; an empty matter names nothing."""
    plain = " ".join(fold_width(request).split())[:LONGEST]
    text, asked, whole = _without_asking(plain)
    text = _END.sub("", text).strip()
    if _is_everything(text, asked=asked, whole=whole):
        return Wish(Kind.EVERYTHING, "")
    if _CHINESE.search(text):
        return _read_chinese(text)
    return _read_spaced(text)


def _without_asking(request: str) -> tuple[str, bool, bool]:
    """Return the rest, whether it was asked to forget it, and whether all of it."""
    if moved := _MOVED.match(request):
        return moved.group("what"), True, bool(moved.group("all"))
    for pattern in (_ASKED, _ASKED_IN_CHINESE):
        if found := pattern.match(request):
            return request[found.end() :], True, False
    return request, False, False


def _is_everything(text: str, *, asked: bool, whole: bool) -> bool:
    if _EVERYTHING.fullmatch(text) or _EVERYTHING_IN_CHINESE.fullmatch(text):
        return True
    if whole and _SAID_IN_CHINESE.fullmatch(text):
        return True
    owner = _OWNER.fullmatch(text) or _OWNER_IN_CHINESE.fullmatch(text)
    return asked and owner is not None


def _read_spaced(text: str) -> Wish:
    said = _SAID_THAT.match(text) or _FACT.match(text)
    if said:
        return Wish(Kind.STATEMENT, text[said.end() :].strip())
    if about := _SAID_ABOUT.match(text):
        return Wish(Kind.TOPIC, text[about.end() :].strip())
    if said := _SAID.match(text):
        return Wish(Kind.TOPIC, text[said.end() :].strip())
    if asks := _INDIRECT.match(text):
        return Wish(Kind.TOPIC, text[asks.end() :].strip())
    return Wish(Kind.STATEMENT if _CLAUSE.match(text) else Kind.TOPIC, text)


def _read_chinese(text: str) -> Wish:
    event = _EVENT.search(text)
    said = _SAID_ABOUT_IN_CHINESE.match(text)
    matter = text[said.end() if said else 0 : event.start() if event else None]
    matter = _MATTER.sub("", matter).strip()
    if not _NOUN.fullmatch(matter) and _CHINESE_CLAUSE.match(matter):
        return Wish(Kind.STATEMENT, matter)
    return Wish(Kind.TOPIC, _OWN.sub("我的", matter))
