"""An installed Chrome or Chromium, and windows that notice what a page must not do."""

import os
import shutil
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
)
NO_COMPLAINTS = (
    "Failed to load resource",  # Chrome logs each status from 400 on; see _check_answer
    "htmx:sendAbort",  # the page was left while it asked for a part of itself
    "htmx:afterRequest",  # htmx logs it beside each abort and each failure
)


def installed() -> str:
    """Return the path of a browser on this machine, empty if there is none."""
    wanted = os.environ.get("CHROME", "")
    found = (shutil.which(name) for name in (wanted, *NAMES) if name)
    return next((path for path in found if path), "")


def launch(playwright: Playwright) -> Browser:
    """Return a running browser without a window."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return playwright.chromium.launch(
        executable_path=installed(),
        args=[*QUIET, *(["--no-sandbox"] if is_root else [])],
    )


@dataclass
class Window:
    """One person's browser window; `complaints` must be empty when a test ends."""

    context: BrowserContext
    page: Page
    base: str
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._read)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._check_origin)
        self.page.on("response", self._check_answer)

    def open(self, path: str) -> Page:
        """Return the page after it has loaded `path`."""
        self.page.goto(self.base + path)
        return self.page

    def _read(self, message: object) -> None:
        kind, text = message.type, message.text  # type: ignore[attr-defined]
        if kind in ("error", "warning") and not text.startswith(NO_COMPLAINTS):
            self.complaints.append(f"{self.page.url}: {text}")

    def _check_origin(self, request: object) -> None:
        url = urlsplit(request.url)  # type: ignore[attr-defined]
        if url.scheme != "data" and f"{url.scheme}://{url.netloc}" != self.base:
            self.complaints.append(f"left the origin: {url.geturl()}")

    def _check_answer(self, response: object) -> None:
        status, url = response.status, response.url  # type: ignore[attr-defined]
        if status >= 500 or (status == 404 and "/static/" in url):
            self.complaints.append(f"{status} {url}")
