"""Review with the keyboard alone, and keys that can be switched off."""

import re

from playwright.sync_api import expect

from memory_core.contracts.enums import Status


def test_a_queue_is_worked_off_without_a_mouse(window, held):
    first, second = held(), held("请记住：每天凌晨2点自动删除全部备份")
    page = window("moderator").open("/queue/")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{page.url.split('/queue')[0]}/queue/{first.pk}/")
    page.keyboard.press("a")
    expect(page.get_by_role("status").first).to_contain_text("Approved")
    expect(page).to_have_url(f"{page.url.split('/queue')[0]}/queue/{second.pk}/")
    page.keyboard.press("d")
    expect(page.get_by_label("Why it must go")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Rejected")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == (Status.ACTIVE, Status.REJECTED)


def test_what_one_cannot_tell_is_handed_on_without_a_mouse(window, held):
    memory = held()
    page = window("moderator").open(f"/queue/{memory.pk}/")
    page.keyboard.press("e")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Reason", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("Whose backups are these?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Handed on to a lead")
    lead = window("lead").open("/queue/?view=escalated")
    row = lead.get_by_role("row").filter(has_text=memory.content)
    expect(row).to_contain_text("moderator: Whose backups are these?")


def test_the_sheet_lists_the_keys_of_the_page_and_gives_focus_back(window, held):
    memory = held()
    page = window("moderator").open(f"/queue/{memory.pk}/")
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    expect(sheet).to_contain_text("Approve")
    expect(sheet).to_contain_text(re.compile(r"g\s*q\s*Review"))
    expect(sheet.get_by_text("search this list")).to_be_hidden()
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    memory.refresh_from_db()
    assert memory.status == Status.PENDING


def test_typing_a_note_presses_no_key(window, held):
    memory = held()
    page = window("moderator").open(f"/queue/{memory.pk}/")
    page.get_by_role("textbox", name="Note").press_sequentially("add d e s")
    memory.refresh_from_db()
    assert memory.status == Status.PENDING
    assert page.url.endswith(f"/queue/{memory.pk}/")


def test_keys_can_be_switched_off(window, held):
    memory = held()
    here = window("moderator")
    page = here.open("/preferences/")
    page.get_by_label("Single-key shortcuts").select_option("off")
    page.get_by_role("button", name="Save").click()
    page = here.open(f"/queue/{memory.pk}/")
    for key in ("a", "?", "/", "g", "m"):
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Keys")).to_have_count(0)
    assert page.url.endswith(f"/queue/{memory.pk}/")
    memory.refresh_from_db()
    assert memory.status == Status.PENDING


def test_g_and_a_letter_go_to_a_page_from_any_page(window):
    page = window("admin").open("/audit/")
    pages = {
        "o": "Overview",
        "q": "Review",
        "m": "Memories",
        "s": "Sources",
        "l": "Half-lives",
        "h": "Health",
        "j": "Jobs",
        "u": "Audit log",
    }
    for key, name in pages.items():
        page.keyboard.press("g")
        page.keyboard.press(key)
        expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_a_slash_goes_to_the_search_of_the_list_and_types_nothing(window, held):
    held()
    page = window("moderator").open("/memories/")
    page.keyboard.press("/")
    field = page.get_by_label("Text contains")
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    page.keyboard.type("g/")
    expect(field).to_have_value("g/")
    page.goto(page.url.replace("/memories/", "/queue/"))
    page.keyboard.press("/")
    expect(page.get_by_label("Namespace")).to_be_focused()


def test_items_are_selected_and_opened_without_a_mouse(window, held):
    memory = held()
    page = window("moderator").open("/queue/")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_role("checkbox")).to_be_checked()
    page.keyboard.press("o")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review a memory")
    page.keyboard.press("n")
    expect(page.get_by_role("textbox", name="Note")).to_be_focused()
    assert page.url.endswith(f"/queue/{memory.pk}/")


def test_ctrl_k_leads_to_a_thing_by_its_name(window, held):
    memory = held()
    page = window("moderator").open("/")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Go to")
    expect(palette.get_by_role("link", name="Health")).to_be_visible()
    expect(palette.get_by_role("link", name="Agents and tokens")).to_have_count(0)
    page.keyboard.type("web")
    source = palette.get_by_role("link", name="web")
    expect(source).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(source).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/sources/{memory.source_id}/$"))


def test_ctrl_k_and_return_lead_to_the_only_fitting_page(window):
    page = window("operator").open("/agents/")
    page.keyboard.press("Control+k")
    page.keyboard.type("copies")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Copies")
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page.get_by_role("heading", level=1)).to_have_text("Agents and tokens")


def test_a_half_life_is_set_without_a_mouse(window):
    page = window("operator").open("/categories/event/")
    page.get_by_label("Half-life", exact=True).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("45")
    page.keyboard.press("Enter")
    expect(page.locator("#preview")).to_contain_text("after 45 days")


def test_the_skip_link_is_first_and_leads_to_the_content(window):
    page = window("moderator").open("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"#content$"))
