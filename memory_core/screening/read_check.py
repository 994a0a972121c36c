"""The read check: may this memory be served now, for this query and purpose?"""

from collections.abc import Iterable

from memory_core.contracts.screening import (
    Provenance,
    ReadItem,
    Verdict,
    Withheld,
)
from memory_core.screening.classifier import rules_version
from memory_core.screening.screen import screen

_INJECTION = ("order.", "envelope.", "link.", "hidden.", "comment.", "model.")
# Words of a query that make personal data of a kind relevant to it.
_ASKED_FOR = {
    "email": ("mail", "邮箱", "邮件", "contact", "联系", "reach"),
    "phone": (
        "phone", "call", "contact", "number", "reach", "book", "reserv", "order",
        "deliver", "电话", "手机", "联系", "号码", "预订", "订", "预约", "外卖", "快递",
    ),
    "id_card": ("id card", "identity", "身份证", "证件", "实名"),
    "bank_card": ("card", "bank", "pay", "银行", "卡号", "付款", "支付"),
    "iban": ("iban", "bank", "pay", "transfer", "account", "银行", "转账", "账户"),
    "ssn": ("ssn", "social security", "tax"),
    "passport": ("passport", "visa", "flight", "travel", "护照", "签证", "机票"),
    "plate": ("plate", "car", "parking", "vehicle", "车牌", "停车", "车"),
    "ip": ("ip", "server", "host", "network", "login", "服务器", "登录", "地址"),
}  # fmt: skip
_PERSONAL_CATEGORIES = frozenset({"profile"})


def read_check(item: ReadItem, *, query: str, purpose: str) -> Withheld | None:
    """Return why the memory must not be served now, or None if it may be.

    A stored verdict of the current rules costs a few set look-ups; one of other rules
    is computed again from the content.
    """
    tags: tuple[str, ...] = item.tags
    injected: tuple[str, ...] = ()
    if item.version != rules_version():
        verdict = _judge_again(item)
        tags, injected = verdict.tags, _injection_rules(verdict)
    if injected and not item.approved:
        return Withheld("injection", injected)
    if _has(tags, "secret:"):
        return Withheld("secret", _having(tags, "secret:"))
    is_trusted = item.source_kind == "user_input" and item.source_trust == "trusted"
    if item.source_trust == "blocked" or (
        purpose == "sensitive_action" and not is_trusted
    ):
        return Withheld("purpose")
    if not is_trusted and _has(tags, "sensitive_action:"):
        return Withheld("sensitive_action", _having(tags, "sensitive_action:"))
    return _personal_data(item.category, tags, query)


def _judge_again(item: ReadItem) -> Verdict:
    provenance = Provenance(item.source_kind, item.source_trust)
    return screen({"content": item.content, **item.extra}, provenance)


def _injection_rules(verdict: Verdict) -> tuple[str, ...]:
    if verdict.outcome == "allow":
        return ()
    return tuple(rule for rule in verdict.rules if rule.startswith(_INJECTION))


def _personal_data(category: str, tags: Iterable[str], query: str) -> Withheld | None:
    """Return the refusal of personal data that the query does not ask about."""
    kinds = [tag.removeprefix("pii:") for tag in tags if tag.startswith("pii:")]
    if not kinds or category in _PERSONAL_CATEGORIES:
        return None
    lowered = query.lower()
    unrelated = tuple(
        kind
        for kind in kinds
        if not any(word in lowered for word in _ASKED_FOR.get(kind, ()))
    )
    if not unrelated:
        return None
    return Withheld("personal_data", tuple(f"pii:{kind}" for kind in unrelated))


def _has(tags: Iterable[str], prefix: str) -> bool:
    return any(tag.startswith(prefix) for tag in tags)


def _having(tags: Iterable[str], prefix: str) -> tuple[str, ...]:
    return tuple(tag for tag in tags if tag.startswith(prefix))
