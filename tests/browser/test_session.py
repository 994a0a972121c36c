"""A session says that it ends, can be kept, and takes no typed text with it."""

from datetime import timedelta

from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Page, expect

from moderation.models import ReviewNote
from tests.browser.chrome import Window

TEN_MINUTES = 600
WORDS = "half a note, not yet sent"


def open_shortly(here: Window, path: str) -> Page:
    """Return a page of a session that ends ten minutes after the last answer."""
    cookies = {one["name"]: one["value"] for one in here.context.cookies()}
    session = SessionStore(cookies["sessionid"])
    session.set_expiry(TEN_MINUTES)
    session.save()
    here.page.clock.install()
    return here.open(path)


def test_it_warns_before_it_ends_and_is_kept_by_a_button(window, held):
    page = open_shortly(window("moderator"), f"/queue/{held().pk}/")
    page.get_by_role("textbox", name="Note").fill(WORDS)
    page.clock.fast_forward("04:50")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.clock.fast_forward("00:20")
    warning = page.get_by_role("dialog", name="You will be signed out soon")
    expect(warning).to_be_visible()
    soon = timezone.now() + timedelta(minutes=1)
    Session.objects.update(expire_date=soon)
    warning.get_by_role("button", name="Stay signed in").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert Session.objects.get().expire_date > soon
    expect(page.get_by_role("textbox", name="Note")).to_have_value(WORDS)
    page.clock.fast_forward("05:10")
    expect(warning).to_be_visible()


def test_after_its_end_one_signs_in_beside_and_goes_on(window, held, person):
    here = window("")
    user, password = person("moderator")
    page = here.open(f"/queue/{held().pk}/")
    sign_in(page, user.username, password)
    open_shortly(here, page.url.removeprefix(here.base))
    page.get_by_role("textbox", name="Note").fill(WORDS)
    Session.objects.all().delete()
    page.clock.fast_forward("10:01")
    over = page.get_by_role("dialog")
    expect(over).to_contain_text("You are signed out")
    with here.context.expect_page() as beside:
        over.get_by_role("link", name="Sign in").click()
    sign_in(beside.value, user.username, password)
    expect(beside.value.get_by_role("heading", level=1)).to_have_text("Overview")
    page.bring_to_front()
    expect(over).to_have_count(0)
    page.get_by_role("button", name="Add note").click()
    expect(page.get_by_role("region", name="Notes")).to_contain_text(WORDS)
    assert ReviewNote.objects.get().text == WORDS


def test_a_page_in_another_tab_keeps_it_too(window):
    here = window("moderator")
    page = open_shortly(here, "/")
    page.clock.fast_forward("05:10")
    expect(page.get_by_role("dialog")).to_be_visible()
    other = here.context.new_page()
    other.goto(f"{here.base}/sources/")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_page_that_asks_by_itself_does_not_keep_it(window):
    here = window("operator")
    page = open_shortly(here, "/jobs/")
    end = Session.objects.get().expire_date
    for _ in range(31):
        with page.expect_response(lambda answer: answer.url.endswith("/jobs/")) as one:
            page.clock.run_for(10_000)
        assert one.value.request.headers["x-unattended"] == "1"
    expect(page.get_by_role("dialog")).to_be_visible()
    assert Session.objects.get().expire_date == end


def sign_in(page: Page, username: str, password: str) -> None:
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign In").click()
    page.wait_for_url(lambda url: "/accounts/login/" not in url)
