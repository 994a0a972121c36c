"""Signing in with an app's code, a passkey or a security key, in a real browser."""

import time
from collections.abc import Callable

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Page, expect

from tests.browser.chrome import Window

PERIOD = 30


@pytest.fixture
def at_localhost(window) -> Callable[[], Window]:
    """Return a window that calls the service by name: keys know no numbers."""

    def make() -> Window:
        here = window("")
        here.base = here.base.replace("127.0.0.1", "localhost")
        return here

    return make


def test_a_code_of_the_app_is_asked_for_after_the_password(at_localhost, person):
    user, password = person("moderator")
    page = at_localhost().open("/accounts/login/")
    sign_in(page, user.username, password)
    open_after_password(page, "/accounts/2fa/totp/activate/", password)
    secret = page.get_by_label("Authenticator secret").input_value()
    page.get_by_label("Authenticator code").fill(code_of(secret, 0))
    page.get_by_role("button", name="Activate").click()
    expect(page.get_by_label("Unused codes")).to_be_visible()
    page.goto(address(page, "/"))
    page.get_by_role("button", name="Sign out").click()
    page.goto(address(page, "/queue/"))
    sign_in(page, user.username, password)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Two-Factor Authentication"
    )
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Sign In").click()
    expect(page.get_by_text("Incorrect code")).to_be_visible()
    page.get_by_label("Code").fill(code_of(secret, 1))
    page.get_by_role("button", name="Sign In").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")


def test_a_passkey_signs_in_without_a_password(at_localhost, person):
    user, password = person("moderator")
    here = at_localhost()
    plug_in_key(here, resident=True)
    page = here.open("/accounts/login/")
    sign_in(page, user.username, password)
    open_after_password(page, "/accounts/2fa/webauthn/add/", password)
    page.get_by_label("Name").fill("my laptop")
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_label("Unused codes")).to_be_visible()
    page.goto(address(page, "/"))
    page.get_by_role("button", name="Sign out").click()
    page.goto(address(page, "/accounts/login/?next=/memories/"))
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Memories")


def test_a_security_key_is_a_second_factor(at_localhost, person):
    user, password = person("moderator")
    here = at_localhost()
    plug_in_key(here, resident=False)
    page = here.open("/accounts/login/")
    sign_in(page, user.username, password)
    open_after_password(page, "/accounts/2fa/webauthn/add/", password)
    page.get_by_label("Name").fill("my key")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_label("Unused codes")).to_be_visible()
    page.goto(address(page, "/"))
    page.get_by_role("button", name="Sign out").click()
    page.goto(address(page, "/accounts/login/?next=/memories/"))
    sign_in(page, user.username, password)
    page.get_by_role("button", name="Use a security key").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Memories")


def code_of(secret: str, step: int) -> str:
    """Return what the app shows now, or so many steps later."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // PERIOD + step))


def plug_in_key(here: Window, *, resident: bool) -> None:
    """Give the browser a key of its own that says yes at once."""
    tools = here.context.new_cdp_session(here.page)
    tools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal" if resident else "usb",
        "hasResidentKey": resident,
        "hasUserVerification": resident,
        "isUserVerified": resident,
        "automaticPresenceSimulation": True,
    }
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def sign_in(page: Page, username: str, password: str) -> None:
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign In").click()
    page.wait_for_url(lambda url: "/accounts/login/" not in url)


def open_after_password(page: Page, path: str, password: str) -> None:
    """Open a page that asks for the password once more."""
    page.goto(address(page, path))
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(f"**{path}")


def address(page: Page, path: str) -> str:
    return "/".join(page.url.split("/")[:3]) + path
