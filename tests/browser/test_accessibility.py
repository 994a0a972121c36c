"""axe finds no WCAG 2.2 AA violation in both themes, languages and widths."""

import json
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page

from memory_core import auditing, isolation, jobs
from memory_core.actions import exports, moving
from memory_core.models import Agent, Job, Memory, Source
from memory_core.snapshots.cold import draining
from memory_core.snapshots.foreign import Said
from memory_core.tasks import snapshots as _tasks  # noqa: F401 - registers engines
from moderation.actions import samples
from moderation.demo import load
from tests.browser.chrome import Window
from tests.factories.world import BY

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
ALL_RULES = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast"]},
    "resultTypes": ["violations"],
}
WIDTHS = (1280, 360)
PAGES = (
    "/",
    "/queue/",
    "/queue/{held}/",
    "/queue/clusters/",
    "/queue/all/",
    "/queue/second/",
    "/memories/",
    "/memories/recall/?agent=demo&owner=anna&query=coffee",
    "/memories/{memory}/",
    "/sources/",
    "/sources/{source}/",
    "/blocks/source/{source}/",
    "/blocks/agent/{agent}/",
    "/memories/undo/?source={source}&since=2026-01-01T00:00",
    "/categories/",
    "/categories/preference/?half_life=20&floor=0&bonus_cap=0.2&archive_below=0.15",
    "/audit/",
    "/agents/",
    "/agents/{agent}/",
    "/health/",
    "/health/growth/",
    "/samples/",
    "/models/",
    "/consolidation/",
    "/jobs/",
    "/copies/",
    "/moving/",
    "/moving/in/{upload}/",
    "/moving/out/{export}/",
    "/team/",
    "/go/?q=e",
    "/preferences/",
    "/accounts/2fa/",
    "/accounts/password/change/",
    "/nothing/here/",
)


@pytest.mark.parametrize(
    ("locale", "language"), [("en-GB", "en"), ("zh-CN", "zh-hans")]
)
def test_no_page_has_a_violation(window, held, locale, language):
    addresses = paths(held())
    visitor = window("", locale=locale)
    problems = checked(visitor, "/accounts/login/", language)
    signed_in = window("admin", locale=locale)
    for path in addresses:
        problems += checked(signed_in, path, language)
    assert problems == []


def paths(waiting: Memory) -> list[str]:
    """Return the addresses with a memory, a source and an agent of the demo data."""
    load.into_database(by=BY)
    with isolation.transaction_for(BY):
        auditing.record("certificate.issue", by=BY, sha256="0" * 64)
    samples.draw(now=timezone.now())
    known = {
        "held": waiting.pk,
        "memory": Memory.unscoped.active().order_by("pk")[0].pk,
        "source": Source.objects.order_by("pk")[0].pk,
        "agent": Agent.objects.order_by("pk")[0].pk,
        "upload": tried_upload().pk,
        "export": exports.order(by=BY).pk,
    }
    while jobs.work(seconds=60):
        pass
    draining.drain(now=timezone.now(), until=time.monotonic() + 60)
    return [path.format(**known) for path in PAGES]


def tried_upload() -> Job:
    """Return an import that is described and about to be tried."""
    entries = [
        {"id": "1", "memory": "Likes oolong", "user_id": "anna"},
        {"id": "2", "memory": "Likes rain", "user_id": "anna", "created_at": "soon"},
    ]
    now = timezone.now()
    pieces = [json.dumps(entries).encode()]
    job = moving.upload(name="dump.json", pieces=pieces, by=BY, now=now)
    moving.describe(
        job=job, said=Said(system="mem0", moment=now), namespace="agent:demo", by=BY
    )
    return moving.begin(job=job, dry_run=True, by=BY)


def checked(window: Window, path: str, language: str) -> list[str]:
    """Return what is wrong with a page, at each width in each theme."""
    page = window.open(path)
    assert page.locator("html").get_attribute("lang") == language, path
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for theme, rules in (("light", ALL_RULES), ("dark", COLOURS)):
            page.emulate_media(color_scheme=theme)
            found += violations(page, rules, f"{path} {width} {theme}")
        room = page.evaluate("document.documentElement.scrollWidth")
        if room > width:
            found.append(f"{path} {width}: {room} px wide")
    return found


def violations(page: Page, rules: dict[str, object], where: str) -> list[str]:
    answer = Axe().run(page, options=rules).response
    return [
        f"{where}: {one['id']} {node['target']} {node['failureSummary']}"
        for one in answer["violations"]
        for node in one["nodes"][:2]
    ]
