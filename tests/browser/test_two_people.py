"""Two people at the same item: it is decided once, and the second is told."""

from playwright.sync_api import expect

from memory_core.contracts.enums import Status
from memory_core.models import AuditEntry, Memory, Namespace


def test_the_second_decision_is_refused_and_named(window, held):
    memory = held()
    first = window("moderator").open(f"/queue/{memory.pk}/")
    second = window("lead").open(f"/queue/{memory.pk}/")
    first.get_by_role("button", name="Approve").click()
    expect(first.get_by_role("status").first).to_contain_text("Approved")
    second.get_by_label("Why it must go").select_option("untrue")
    second.get_by_role("button", name="Reject").click()
    expect(second.get_by_role("alert")).to_contain_text(
        "Decided already by operator:moderator"
    )
    expect(second.get_by_role("alert")).to_be_focused()
    memory.refresh_from_db()
    assert memory.status == Status.ACTIVE
    decisions = AuditEntry.objects.filter(
        action__in=["review.approve", "review.reject"]
    )
    assert decisions.count() == 1


def test_a_claimed_item_names_who_has_it(window, held):
    memory = held()
    first = window("moderator").open(f"/queue/{memory.pk}/")
    first.get_by_role("button", name="Claim").click()
    expect(first.get_by_role("status").first).to_contain_text("yours")
    second = window("lead").open(f"/queue/{memory.pk}/")
    expect(second.get_by_text("With moderator for another")).to_be_visible()
    second.get_by_role("button", name="Approve").click()
    expect(second.get_by_role("alert")).to_contain_text("moderator is reviewing it now")


def test_two_browsers_are_two_people_only_if_two_people_sit_there(window, held):
    memory = held()
    Memory.unscoped.update(decision={"reasons": ["sensitive_action"]})
    Namespace.objects.update(second_review=["sensitive"])
    mine, place = window("moderator"), f"/queue/{memory.pk}/"
    first, again = mine.open(place), mine.context.new_page()
    again.goto(mine.base + place)
    other = window("moderator", "other").open(place)
    first.get_by_role("button", name="Approve").click()
    expect(first.get_by_role("status").first).to_contain_text("a second person")
    again.get_by_role("button", name="Approve").click()
    expect(again.get_by_role("alert")).to_contain_text("a second person must agree")
    assert Memory.unscoped.get().status == Status.PENDING
    other.reload()
    expect(other.get_by_text("Waits for a second person")).to_be_visible()
    other.get_by_role("button", name="Approve").click()
    expect(other.get_by_role("status").first).to_contain_text("Approved")
    assert Memory.unscoped.get().status == Status.ACTIVE
