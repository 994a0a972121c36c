"""A deletion request in two people's browsers, from its receipt to its certificate."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from memory_core.actions import memories
from memory_core.contracts.memories import Draft
from memory_core.models import Memory
from memory_core.saving import lookups, vectors
from moderation.actions import erasure_progress
from moderation.models import CaseState, ErasureCase
from tests.browser.test_accessibility import checked
from tests.erasure.conftest import work
from tests.factories import make_caller

NAME = "Chen Meilin"
ENGLISH = {
    "new": "New request",
    "owner": "Person ids",
    "name": "Names",
    "note": "Note the request",
    "settle": "Identity is settled",
    "redact": "take the person's names out",
    "keep": "Keep these decisions",
    "propose": "Propose the erasure",
    "code": "Type the code of the request",
    "approve": "Approve the erasure",
    "under way": "The erasure is under way",
    "sent": "Sent on",
    "save": "Keep",
    "answered": "answered on",
    "final": "final certificate",
}
CHINESE = {
    "new": "新建请求",
    "owner": "用户标识",
    "name": "姓名",
    "note": "登记请求",
    "settle": "身份已核实",
    "redact": "去除当事人的姓名等标识",
    "keep": "保存决定",
    "propose": "提议删除",
    "code": "输入请求编号",
    "approve": "批准删除",
    "under way": "删除正在进行",
    "sent": "发出日期",
    "save": "保存",
    "answered": "答复",
    "final": "最终证书",
}


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    """What is erased here is no business of the service's own ledger."""
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    settings.LEDGER_DIR = tmp_path / "ledger"
    settings.COLD_DIR = tmp_path / "cold"


@pytest.fixture
def remembered(transactional_db: None):
    """Save what a person said, and what a neighbour said of them."""
    for forget in (lookups.forget, vectors.forget):
        forget()
    vectors.ensure_model()
    caller = make_caller(shared={"shop": "rw"})

    def say(owner: str, content: str) -> Memory:
        draft = Draft(
            owner_id=owner,
            content=content,
            category="fact",
            source_kind="user_input",
            namespace="shop",
        )
        return Memory.unscoped.get(
            pk=memories.remember(draft=draft, by=caller).memory_id
        )

    return say


def advance(case: ErasureCase) -> str:
    """Do what the service does by the clock."""
    return erasure_progress.advance(ref=case.ref, now=timezone.now()).state


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_load_state()


@pytest.mark.parametrize(
    ("locale", "words", "owner"),
    [("en-GB", ENGLISH, "mei-41"), ("zh-CN", CHINESE, "mei-42")],
)
def test_from_a_request_to_its_certificate(window, remembered, locale, words, owner):
    first = remembered(owner, "I like green tea in the morning")
    mention = remembered("neighbour", f"{NAME} next door keeps our spare key")
    lin = window("compliance", "lin", locale=locale)
    amara = window("compliance", "amara", locale=locale)

    page = lin.open("/requests/")
    page.get_by_role("link", name=words["new"]).click()
    page.get_by_label(words["owner"]).fill(owner)
    page.get_by_label(words["name"], exact=True).fill(NAME)
    press(page, words["note"])
    case = ErasureCase.objects.get()
    expect(page.get_by_role("heading", level=1)).to_contain_text(case.ref)
    advance(case)

    press(page, words["settle"])
    assert advance(case) == CaseState.ASSESSING
    page.reload()
    page.locator(f"[name=treatment-{mention.pk}]").select_option(label=words["redact"])
    press(page, words["keep"])
    press(page, words["propose"])
    expect(page.get_by_role("button", name=words["approve"])).to_have_count(0)

    approval = amara.open(f"/requests/{case.ref}/")
    approval.get_by_label(words["code"]).fill(case.ref.lower())
    press(approval, words["approve"])
    advance(case)
    page.goto(f"{lin.base}/requests/{case.ref}/")
    expect(page.get_by_role("status").first).to_contain_text(words["under way"])

    case.refresh_from_db()
    work(case.run_ref)
    assert advance(case) == CaseState.BACKUPS_AGING
    letters = lin.open(f"/requests/{case.ref}/?tab=messages")
    letter = case.letters.get(kind="erased")
    form = letters.locator(f"#letter{letter.pk}_text").locator("xpath=ancestor::form")
    form.get_by_label(words["sent"]).fill(timezone.localdate().isoformat())
    form.get_by_role("button", name=words["save"], exact=True).click()
    expect(letters.locator(".due")).to_contain_text(words["answered"])

    work(case.run_ref)
    assert advance(case) == CaseState.CLOSED_COMPLETE
    page = lin.open(f"/requests/{case.ref}/?tab=certificate")
    page.get_by_role("link", name=words["final"]).click()
    expect(page.locator("body")).to_contain_text(case.ref)
    assert NAME not in page.content()
    assert lin.page.goto(f"{lin.base}/memories/{first.pk}/").status == 410
    mention.refresh_from_db()
    assert NAME not in mention.content


@pytest.mark.parametrize(
    ("locale", "language"), [("en-GB", "en"), ("zh-CN", "zh-hans")]
)
def test_no_page_of_requests_has_a_violation(window, remembered, locale, language):
    remembered("mei-43", "I like green tea in the morning")
    remembered("neighbour", f"{NAME} next door keeps our spare key")
    visitor: Any = window("admin", locale=locale)
    case = _searched(visitor, "mei-43")
    problems = []
    for path in (
        "/requests/",
        "/requests/new/",
        "/requests/holds/",
        f"/requests/{case.ref}/",
        f"/requests/{case.ref}/?tab=messages",
    ):
        problems += checked(visitor, path, language)
    assert problems == []


def test_the_page_of_a_request_looks_again_by_itself(window, remembered):
    remembered("mei-44", "I like green tea in the morning")
    visitor = window("compliance", "lin")
    case = _searched(visitor, "mei-44", wait=False)
    page = visitor.open(f"/requests/{case.ref}/")
    expect(page.get_by_text("All stores are being searched.")).to_be_visible()
    advance(case)
    expect(page.get_by_role("button", name="Propose the erasure")).to_be_visible()


def _searched(visitor: Any, person: str, *, wait: bool = True) -> ErasureCase:
    """Note a request at the page, settle identity, and search."""
    page = visitor.open("/requests/new/")
    page.locator("[name=owner]").fill(person)
    if wait:
        page.locator("[name=name]").fill(NAME)
    page.locator("main button.primary").click()
    page.wait_for_url(lambda url: "/requests/ER-" in url)
    case = ErasureCase.objects.get()
    advance(case)
    page.reload()
    page.locator(".next button.primary").click()
    page.wait_for_load_state()
    if wait:
        advance(case)
    return case


def test_a_page_that_looks_again_waits_while_somebody_writes(window, remembered):
    remembered("mei-43", "I like green tea in the morning")
    lin = window("compliance", "lin")
    page = lin.open("/requests/new/")
    page.get_by_label("Person ids").fill("mei-43")
    press(page, "Note the request")
    press(page, "Identity is settled")
    page.get_by_text("Notes", exact=True).click()
    note = page.get_by_label("Note", exact=True)
    note.fill("She rang on Monday")
    advance(ErasureCase.objects.get())
    page.wait_for_timeout(9_000)  # two looks
    expect(note).to_have_value("She rang on Monday")
    expect(page.get_by_text("All stores are being searched.")).to_be_visible()
    note.fill("")
    expect(page.get_by_text("All stores are being searched.")).to_have_count(0)
