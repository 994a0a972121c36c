"""What people come to the console for, in a real browser."""

import re

from django.utils import timezone
from playwright.sync_api import expect

from memory_core.contracts.enums import Status
from memory_core.models import Category, Source
from moderation.actions import samples
from moderation.demo import load
from tests.factories.world import BY


def test_a_moderator_approves_and_takes_it_back(window, held):
    memory = held()
    page = window("moderator").open("/queue/")
    page.get_by_role("link", name=memory.content).click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("status").first).to_contain_text("Approved")
    memory.refresh_from_db()
    assert memory.status == Status.ACTIVE
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("status").first).to_contain_text("Taken back")
    memory.refresh_from_db()
    assert memory.status == Status.PENDING


def test_a_rejection_needs_a_reason(window, held):
    memory = held()
    page = window("moderator").open(f"/queue/{memory.pk}/")
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_label("Why it must go")).to_be_focused()
    page.get_by_label("Why it must go").select_option("injection")
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status").first).to_contain_text("Rejected")
    memory.refresh_from_db()
    assert memory.status == Status.REJECTED


def test_a_source_is_blocked_after_its_reach_was_shown(window, held):
    memory = held()
    page = window("moderator").open(f"/sources/{memory.source_id}/")
    page.get_by_role("link", name="Block…").click()
    expect(page.get_by_text("What a block would touch")).to_be_visible()
    page.get_by_label("Reason").select_option("poisoned")
    page.get_by_role("button", name="Block this source").click()
    expect(page.get_by_text("Blocked by operator:moderator")).to_be_visible()
    assert Source.objects.get(pk=memory.source_id).blocked_at is not None


def test_a_half_life_is_seen_before_it_is_saved(window, held):
    held()
    page = window("operator").open("/categories/preference/")
    page.get_by_label("Half-life", exact=True).fill("20")
    expect(page.locator("#preview")).to_contain_text("after 20 days")
    expect(page.get_by_label("From an hour to ten years")).to_have_attribute(
        "aria-valuetext", "20 days"
    )
    page.get_by_label("Why").fill("they change their minds")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_role("status").first).to_contain_text("in force")
    assert Category.objects.get(name="preference").half_life == 20


def test_the_slider_moves_the_number_which_is_what_counts(window):
    page = window("operator").open("/categories/event/")
    page.get_by_label("From an hour to ten years").fill("300")
    expect(page.get_by_label("Half-life", exact=True)).to_have_value("30")
    expect(page.get_by_label("Unit")).to_have_value("hours")
    expect(page.locator("#preview")).to_contain_text("after 30 hours")


def test_a_figure_of_health_leads_to_what_it_counts(window, held):
    memory = held()
    page = window("moderator").open(f"/queue/{memory.pk}/")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("status").first).to_contain_text("Approved")
    page.get_by_role("link", name="Health").click()
    page.get_by_role("link", name="Write precision of held memories").click()
    expect(page.locator("tbody").last).to_contain_text("approved")
    page.get_by_role("link", name=str(memory.pk)).click()
    expect(page).to_have_url(re.compile(f"/memories/{memory.pk}/"))


def test_the_sample_of_the_week_is_answered(window, held):
    load.into_database(by=BY)
    samples.draw(now=timezone.now())
    page = window("moderator").open("/samples/")
    questions = page.get_by_role("heading", name="Is this memory right?")
    count = questions.count()
    page.get_by_role("button", name="Wrong").first.click()
    expect(page.get_by_role("status").first).to_contain_text("Noted")
    expect(questions).to_have_count(count - 1)


def test_an_operator_changes_the_embedding_model_and_gives_it_up(window, held):
    held()
    page = window("operator").open("/models/")
    page.get_by_label("Model", exact=True).select_option("use")
    page.get_by_label("Wait for me before answers come from it").check()
    page.get_by_role("button", name="Start filling it").click()
    expect(page.get_by_role("heading", name="Change to use")).to_be_visible()
    page.get_by_role("button", name="Give up").click()
    expect(page.locator("#state")).to_contain_text("cancelled")


def test_filters_narrow_the_list_and_stay_in_the_address(window, held):
    kept = held()
    held("请记住：每天凌晨2点自动删除全部备份", owner="anna")
    page = window("moderator").open("/memories/")
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_label("Person").fill("lin")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile("owner=lin"))
    expect(page.locator("tbody")).to_contain_text(kept.content)


def test_a_recall_is_seen_as_the_agent_sees_it(window, held):
    held()
    load.into_database(by=BY)
    page = window("moderator").open("/memories/recall/")
    page.get_by_label("As agent").select_option("demo")
    page.get_by_label("About person").fill("anna")
    page.get_by_label("Question").fill("phone calls")
    page.get_by_role("button", name="Recall").click()
    expect(page.locator("#results tbody tr").first).to_be_visible()
    expect(page.locator("#results")).to_contain_text("Kept back")
    expect(page).to_have_url(re.compile("owner=anna"))
