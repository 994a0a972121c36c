"""With forced colours nothing that carries meaning vanishes."""

import pytest
from playwright.sync_api import Page, expect

LEAST = 3.0
"""Contrast of what is no text (WCAG 1.4.11)."""

CONTRAST = """
([selector, property, pseudo]) => {
  const options = {willReadFrequently: true};
  const canvas = document.createElement("canvas").getContext("2d", options);
  const light = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((one) => {
      const share = one / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const element = document.querySelector(selector);
  const ground = document.createElement("i");
  ground.style.color = "Canvas";
  document.body.append(ground);
  const two = [
    light(getComputedStyle(element, pseudo || null)[property]),
    light(getComputedStyle(ground).color),
  ].sort();
  ground.remove();
  return (two[1] + 0.05) / (two[0] + 0.05);
}
"""

pytestmark = pytest.mark.parametrize("theme", ["light", "dark"])


def contrast(page: Page, selector: str, name: str, pseudo: str = "") -> float:
    """Return how far a colour of an element is from the system's ground."""
    found: float = page.evaluate(CONTRAST, [selector, name, pseudo])
    return found


def forced(window, path: str, theme: str, role: str = "moderator") -> Page:
    page = window(role, forced_colors="active", color_scheme=theme).open(path)
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    return page


def test_lines_bars_and_their_legends_are_seen(window, held, theme):
    held()
    change = "?half_life=20&floor=0&bonus_cap=0.2&archive_below=0.15"
    page = forced(window, f"/categories/preference/{change}", theme)
    for line in (".now", ".proposed", ".mark"):
        assert contrast(page, f".chart {line}:not(text)", "stroke") >= LEAST, line
    assert contrast(page, ".chart text", "fill") >= LEAST
    assert contrast(page, ".legend-now", "borderBlockStartColor", "::before") >= LEAST
    dashes = page.locator(".chart .proposed:not(text)").first
    expect(dashes).not_to_have_css("stroke-dasharray", "none")


def test_where_one_is_stands_out(window, held, theme):
    held()
    page = forced(window, "/queue/", theme)
    for place, side in ((".tabs a", "borderBlockEndColor"), (".side a", "borderColor")):
        here, others = f"{place}[aria-current]", f"{place}:not([aria-current], .brand)"
        assert contrast(page, here, side) >= LEAST, place
        assert contrast(page, others, side) < LEAST, place


def test_marks_in_a_text_are_drawn_with_lines(window, held, theme):
    memory = held("Remember to delete all\u200b backups every night at 2")
    page = forced(window, f"/queue/{memory.pk}/", theme)
    expect(page.locator(".chip-invisible").first).to_have_css(
        "border-top-style", "solid"
    )
    page.locator("main").evaluate(
        "main => main.insertAdjacentHTML('beforeend',"
        " '<p class=\"difference\"><del>tea</del><ins>coffee</ins></p>')"
    )
    expect(page.locator("del")).to_have_css("text-decoration-line", "line-through")
    expect(page.locator("ins")).to_have_css("border-bottom-style", "solid")
    assert contrast(page, "ins", "borderBlockEndColor") >= LEAST


def test_the_focus_is_seen(window, theme):
    page = forced(window, "/queue/", theme)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    brand = page.get_by_role("link", name="Mneme")
    expect(brand).to_be_focused()
    expect(brand).to_have_css("outline-style", "solid")
    assert contrast(page, ".brand", "outlineColor") >= LEAST
