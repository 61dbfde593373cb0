"""Every screen for everybody: axe finds nothing against WCAG 2.2 AA, and no width needs sideways scrolling.

A page is loaded once in each language. What depends on colours is looked at in both schemes, the rest in one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dragoman.web.catalogue import LANGUAGES
from tests.web.material import CAMPAIGNS

Judge = Callable[..., tuple[Any, Any]]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


def faults(page: Any, rules: dict[str, Any] = RULES) -> list[str]:
    """What axe finds, one line per rule and place."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options=rules).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:200]}" for rule in found for node in rule["nodes"]
    ]


# Quick tests look at the language of the longest words and at the one that runs from right to left; in the other two
# the same pages have the same marks, and nothing new is shown by each of them.
THOROUGH_LANGUAGES = [
    lang if lang in {"de", "ar"} else pytest.param(lang, marks=pytest.mark.slow) for lang in LANGUAGES
]


def shortcomings(page: Any) -> list[str]:
    """What keeps somebody out of a page, in the light and in the dark, and at four widths."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = faults(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found += [f"dark: {fault}" for fault in faults(page, COLOURS)]
    return found + sideways(page)


def sideways(page: Any) -> list[str]:
    """What makes the page wider than the window, at four widths."""
    found = []
    for width in (1280, 768, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        wide = page.evaluate(
            """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
            .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 || e.getBoundingClientRect().left < -1)
            .map((e) => e.outerHTML.slice(0, 90))"""
        )
        found += [f"{width}: {html}" for html in wide]
    return found


# What is done on a screen before it is looked at, so that its states are seen, too.
KEYS = {
    "da": ["7"],
    "esa": ["t", "ArrowRight", "2", "ArrowRight", "ArrowRight", "s", "ArrowRight"],
    "mqm": ["t", "ArrowRight", "s", "ArrowRight", "1", "Escape", "ArrowRight"],
    "hmeant": ["r", "ArrowRight", "f", "ArrowRight", "1", "t", "ArrowRight", "f", "ArrowRight", "1", "ArrowRight"],
    "esa-ar": ["t", "ArrowLeft", "2", "End"],
    "listening": ["p"],
    "ranking": ["1", "2"],
    "scales": ["4"],
    "voting": ["4"],
}


@pytest.mark.parametrize("lang", THOROUGH_LANGUAGES)
@pytest.mark.parametrize("name", [name for name in CAMPAIGNS if not name.startswith("among-")])
def test_a_screen_keeps_nobody_out(judge: Judge, name: str, lang: str) -> None:
    page, _ = judge(name, lang=lang)
    assert page.get_attribute("html", "lang") == lang
    for key in KEYS.get(name, []):
        page.keyboard.press(key)
    if name == "listening":
        page.wait_for_selector(".cell.ask")  # the questions come once there is something to hear
    if name == "proposed":  # its list is long: the last errors begin behind the bar of buttons, and are scrolled to
        page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    assert shortcomings(page) == []


@pytest.mark.parametrize("name", ["among-ranking", "among-voting", "among-esa"])
def test_neighbours_of_outputs_keep_nobody_out(judge: Judge, name: str) -> None:
    page, _ = judge(name)
    page.keyboard.press("1")
    assert shortcomings(page) == []


@pytest.mark.parametrize("lang", THOROUGH_LANGUAGES)
@pytest.mark.parametrize("path", ["/", "/login", "/error", "/patterns"])
def test_other_pages_keep_nobody_out(stub: Any, open_page: Callable[..., Any], path: str, lang: str) -> None:
    page = open_page(stub.address + path, lang=lang)
    assert shortcomings(page) == []


def test_help_notices_and_the_end_keep_nobody_out(judge: Judge) -> None:
    page, campaign = judge("scales")
    page.keyboard.press("?")
    assert faults(page) == []
    assert sideways(page) == []
    page.keyboard.press("Escape")
    campaign.fault = 401
    for place, keys in enumerate((("4", "5"), ("1", "2")), start=1):
        page.wait_for_selector(f"#item-title:has-text('Item {place} of 2')")
        for key in keys:
            page.keyboard.press(key)
        page.keyboard.press("Control+Enter")
    page.wait_for_selector("#notice a")
    assert faults(page) == []
    campaign.fault = 0
    page.reload()
    page.wait_for_selector("#screen .screen")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#code")
    assert faults(page) == []
    assert sideways(page) == []


STOP = """() => {
  const here = document.activeElement;
  if (here === document.body) return null;
  const shown = here.matches('.pick input') ? here.nextElementSibling : here;
  const style = getComputedStyle(shown);
  const box = shown.getBoundingClientRect();
  const bar = document.getElementById('bar').getBoundingClientRect();
  return {
    what: here.outerHTML.slice(0, 100),
    ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
    free: here.closest('#bar, footer') !== null || box.top < bar.top,
    wide: Math.min(box.width, box.height) >= 24 || here.matches('.skip'),
  };
}"""


def test_the_tab_key_is_seen_wherever_it_goes(judge: Judge) -> None:
    page, _ = judge("mqm", height=700)
    for key in KEYS["mqm"]:
        page.keyboard.press(key)
    page.evaluate("() => document.querySelector('.brand').focus()")
    stops = []
    for _ in range(80):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            break
        stops.append(stop)
    assert len(stops) > 15
    assert [stop for stop in stops if not (stop["ring"] and stop["free"] and stop["wide"])] == []
