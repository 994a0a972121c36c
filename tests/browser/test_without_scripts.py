"""Every page works without JavaScript."""

import re

from playwright.sync_api import expect

from memory_core.contracts.enums import Status
from memory_core.models import Source


def test_sign_in_review_and_block(window, held, person):
    memory = held()
    user, password = person("moderator")
    page = window("", java_script_enabled=False).open(f"/queue/{memory.pk}/")
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign In").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Review a memory")
    page.get_by_label("Why it must go").select_option("injection")
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status").first).to_contain_text("Rejected")
    memory.refresh_from_db()
    assert memory.status == Status.REJECTED
    page.get_by_role("link", name="Sources").click()
    page.get_by_role("link", name="said by the user · web").click()
    page.get_by_role("link", name="Block…").click()
    page.get_by_role("button", name="Block this source").click()
    expect(page.get_by_text("Blocked by operator:moderator")).to_be_visible()
    assert Source.objects.get(pk=memory.source_id).blocked_at is not None


def test_the_menu_opens_on_a_narrow_screen(window):
    narrow = {"width": 360, "height": 740}
    page = window("moderator", java_script_enabled=False, viewport=narrow).open("/")
    entry = page.get_by_role("navigation").get_by_role("link", name="Memories")
    expect(entry).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    entry.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Memories")


def test_a_half_life_is_previewed_by_its_button(window):
    page = window("operator", java_script_enabled=False).open("/categories/event/")
    page.get_by_label("Half-life", exact=True).fill("45")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview")).to_contain_text("after 45 days")


def test_one_goes_to_a_thing_by_its_name(window, held):
    memory = held()
    page = window("moderator", java_script_enabled=False).open("/")
    page.get_by_role("link", name="Go to").click()
    page.get_by_role("searchbox").fill(str(memory.pk))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/memories/{memory.pk}/$"))
