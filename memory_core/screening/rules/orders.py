"""Orders: which concepts together in one window make a standing or hidden order.

A rule names concepts that must all be there; the threshold of its signal is their
count. Refusing rules need three or more concepts or a pair that ordinary memories do
not have.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from memory_core.contracts.screening import Outcome


@dataclass(frozen=True, slots=True)
class OrderRule:
    """A combination of concepts with the outcome it asks for."""

    id: str
    outcome: Outcome
    needs: frozenset[str]
    unless: frozenset[str] = frozenset()

    def matches(self, concepts: frozenset[str]) -> bool:
        """Return whether a window's concepts satisfy the rule."""
        return self.needs <= concepts and not self.unless & concepts


def _rules(lines: str) -> Iterable[OrderRule]:
    for line in lines.strip().splitlines():
        name, outcome, words = line.split(maxsplit=2)
        needs = frozenset(word for word in words.split() if not word.startswith("-"))
        unless = frozenset(word[1:] for word in words.split() if word.startswith("-"))
        if outcome not in ("hold", "refuse"):
            raise ValueError(line)
        yield OrderRule(name, "hold" if outcome == "hold" else "refuse", needs, unless)


# id, outcome from a source that is no user, concepts (-x: not with x)
ORDER_RULES: tuple[OrderRule, ...] = tuple(
    _rules(
        """
order.override          refuse  cancel prior instruction -guarded
order.override_all      hold    cancel every instruction -guarded
order.override_system   refuse  cancel system_prompt
order.prompt_leak       refuse  reveal system_prompt verbatim
order.prompt_leak       hold    reveal system_prompt
order.unrestricted_role refuse  role unrestricted
order.unrestricted_role refuse  story unrestricted
order.unrestricted      hold    unrestricted
order.unasked_money     refuse  unasked money henceforth -guarded
order.unasked_money     hold    unasked money -guarded
order.unasked_delete    refuse  unasked delete -guarded
order.unasked_secret    refuse  unasked secret -guarded
order.unasked_config    refuse  unasked config -guarded
order.unasked_grant     refuse  unasked grant -guarded
order.unasked_trusted   refuse  unasked all_trusted -guarded
order.unasked_private   hold    unasked private -guarded
order.unasked_send      hold    unasked send -guarded
order.guard_off         refuse  disable guard henceforth -guarded
order.guard_off         refuse  disable guard authority
order.guard_off         refuse  disable guard remember -guarded
order.guard_off         refuse  disable guard unasked -guarded
order.guard_off         hold    disable guard every -guarded
order.secret_send       refuse  secret send private
order.secret_send       refuse  secret send external
order.secret_delete     refuse  secret delete
order.secret_money      refuse  secret money
order.secret_config     refuse  secret config
order.secret_credential refuse  secret credential
order.secret_trigger    hold    secret trigger
order.secret_standing   hold    secret henceforth
order.exfiltration      refuse  send private external -guarded
order.exfiltration      hold    send private trigger -guarded
order.authority_send    refuse  authority send private
order.authority_grant   refuse  authority grant every
order.authority_obey    refuse  authority obey ai
order.authority_obey    hold    authority obey
order.authority_unasked refuse  authority unasked
order.authority_cancel  refuse  authority cancel instruction
order.authority_trusted refuse  authority all_trusted
order.delete_standing   refuse  delete henceforth remember every -guarded
order.delete_standing   hold    delete henceforth every -guarded
order.delete_trigger    refuse  delete trigger tool_call
order.delete_trigger    hold    delete trigger henceforth -guarded
order.money_trigger     hold    money trigger henceforth -guarded
order.reader            refuse  reader ai tool_call
order.reader            refuse  reader ai private
order.reader            refuse  reader ai replicate
order.reader            refuse  reader ai obey
order.reader            hold    reader ai
order.reader_tool       hold    reader tool_call
order.replicate         refuse  replicate ai
order.replicate         refuse  replicate verbatim
order.replicate         hold    replicate remember
order.tool_call         refuse  tool_call delete
order.tool_call         refuse  tool_call money
order.tool_call         refuse  tool_call private external
order.tool_call         hold    tool_call external
order.decode            refuse  decode obey
order.forced_answer     hold    answer_with obey henceforth
order.promote           hold    promote henceforth secret
order.promote           hold    promote henceforth unasked
order.payee             refuse  rewrite_fact money henceforth every
order.payee             hold    rewrite_fact money prior
order.payee             hold    rewrite_fact money henceforth
order.locked            hold    locked remember
order.locked            refuse  locked remember unasked
order.trusted           refuse  all_trusted remember
order.trusted           refuse  all_trusted henceforth obey
order.trusted           hold    all_trusted ai
order.others            refuse  others_data reveal private
order.others            refuse  others_data send private
order.others            hold    others_data authority
order.false_role        refuse  fault unrestricted
order.false_role        hold    fault reveal system_prompt
order.bad_end           hold    bad_end role
order.bad_end           hold    bad_end obey
"""
    )
)
