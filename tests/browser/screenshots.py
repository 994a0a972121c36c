"""Pictures of every page of a running service: `make screenshots` puts them in docs/.

Light ones are in English and dark ones in Chinese, each in both widths. People of the
demo are at work in them (tests.browser.scenes); the service is to be a fresh one.
"""

import json
import os
import sys
from io import BytesIO
from pathlib import Path

import django
import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser import chrome

TARGET = Path(__file__).parents[2] / "docs" / "screenshots"
THEMES = (("light", "en-GB"), ("dark", "zh-CN"))
SIZES = ((1280, 860), (360, 740))
MOST_COLOURS = 256
PAGES = {
    "overview": "/",
    "queue": "/queue/",
    "queue-escalated": "/queue/?view=escalated",
    "queue-second": "/queue/?view=second",
    "alike": "/queue/clusters/",
    "selection": "/queue/all/?view=held",
    "second-look": "/queue/second/",
    "memories": "/memories/",
    "recall": "/memories/recall/?agent=demo&owner=anna&query=phone+calls",
    "sources": "/sources/",
    "half-lives": "/categories/",
    "half-life": "/categories/preference/?half_life=20&floor=0&bonus_cap=0.3"
    "&archive_below=0.15",
    "requests": "/requests/",
    "request-new": "/requests/new/",
    "holds": "/requests/holds/",
    "access": "/requests/access/",
    "audit": "/audit/",
    "agents": "/agents/",
    "health": "/health/",
    "health-figure": "/health/growth/",
    "sample-of-the-week": "/samples/",
    "embedding-models": "/models/",
    "consolidation": "/consolidation/",
    "jobs": "/jobs/",
    "copies": "/copies/",
    "moving": "/moving/",
    "team": "/team/",
    "go-to": "/go/?q=o",
    "preferences": "/preferences/",
    "second-factor": "/accounts/2fa/",
    "not-found": "/nothing/",
}
FIRST_ROWS = {
    "review": "/queue/",
    "memory": "/memories/",
    "source": "/sources/",
    "agent": "/agents/",
}


def main(home: str) -> None:
    """Take all pictures of the service that runs in `home`."""
    known = json.loads((Path(home) / "credentials.json").read_text("utf-8"))
    TARGET.mkdir(exist_ok=True)
    scenes = at_work(home, known["agents"]["demo"])
    with sync_playwright() as playwright:
        browser = chrome.launch(playwright)
        for theme, locale in THEMES:
            context = browser.new_context(color_scheme=theme, locale=locale)
            context.set_default_timeout(60_000)
            page = context.new_page()
            sign_in(page, known["base_url"], known["operator"], theme)
            rows = first_rows(page, known["base_url"])
            for name, path in (PAGES | scenes | rows).items():
                page.goto(known["base_url"] + path)
                take(page, name, theme)
            context.close()
        browser.close()


def at_work(home: str, token: str) -> dict[str, str]:
    """Return the addresses of what people did on the service of this home."""
    os.environ["MNEME_HOME"] = str(Path(home).resolve())
    os.environ["DJANGO_SETTINGS_MODULE"] = "memory_core.config.settings"
    django.setup()
    from tests.browser import scenes

    scenes.prepare(token)
    return scenes.addresses()


def sign_in(page: Page, base: str, operator: dict[str, str], theme: str) -> None:
    page.goto(f"{base}/accounts/login/?next=/")
    take(page, "sign-in", theme)
    page.fill("[name=login]", operator["username"])
    page.fill("[name=password]", operator["password"])
    page.click("button.primary")
    page.wait_for_url(f"{base}/")


def first_rows(page: Page, base: str) -> dict[str, str]:
    """Return the address of the first row of each list that has one."""
    found = {}
    for name, path in FIRST_ROWS.items():
        page.goto(base + path)
        link = page.locator("tbody th a").first
        if link.count():
            found[name] = str(link.get_attribute("href"))
    return found


def take(page: Page, name: str, theme: str) -> None:
    """Write a page's pictures with few colours: a third of the bytes, as sharp."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
        few = with_few_colours(picture)
        few.save(TARGET / f"{name}-{theme}-{width}.png", optimize=True)


def with_few_colours(picture: Image.Image) -> Image.Image:
    """Return it in the colours that most of it is of, others in the nearest of them."""
    red, green, blue = np.asarray(picture, dtype=np.int32).reshape(-1, 3).T
    packed, places, counts = np.unique(
        red << 16 | green << 8 | blue, return_inverse=True, return_counts=True
    )
    colours = np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=1)
    kept = colours[np.argsort(-counts)[:MOST_COLOURS]]
    far = colours[:, None, :] - kept[None, :, :]
    nearest = (far**2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    made = Image.frombytes("P", picture.size, nearest[places.ravel()].tobytes())
    made.putpalette(kept.ravel().tolist())
    return made


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".mneme")
