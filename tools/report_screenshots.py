"""Photograph the comparison report with 2, 5 and 21 systems, to look at it: wide and narrow, light and dark.

    .venv/bin/python tools/report_screenshots.py OUT
    .venv/bin/python tools/report_screenshots.py docs/guides/images --guide  # the picture that the guide shows

Systems beyond the samples' five are mixtures of these, segment by segment. What is wider than its screen is said.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dragoman.data import TestSet, read_test_set
from dragoman.metrics import ComparisonRecipe, compare
from dragoman.samples import sample_path

WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
TALLEST = 6000  # pixels


def with_systems(test_set: TestSet, n: int) -> TestSet:
    """The test set with so many systems: its own, then mixtures of two neighbours with a share of either."""
    names = list(test_set.systems)
    systems: dict[str, Sequence[str]] = {name: test_set.systems[name] for name in names[:n]}
    for number in range(len(systems), n):
        better, worse = (test_set.systems[names[k]] for k in (number % 4, number % 4 + 1))
        systems[f"mixture-of-systems-{number}"] = [
            a if (i * 7) % n < number else b for i, (a, b) in enumerate(zip(better, worse, strict=True))
        ]
    return replace(test_set, systems=systems)


def photograph(browser: Any, path: Path, out: Path, width: int, scheme: str, height: int = TALLEST) -> None:
    """The page from its top, at most so high."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(path.as_uri())
    page.wait_for_selector("#cards article")
    tall = min(height, page.evaluate("document.documentElement.scrollHeight"))
    page.screenshot(path=out, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": tall})
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        print(f"{out.name}: {wide} pixels wide")
    page.close()


def shrink(path: Path) -> None:
    """A picture in 128 colours: half the bytes, and nobody sees it."""
    from PIL import Image

    Image.open(path).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Take the pictures."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description="Photograph the comparison report.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--guide", action="store_true", help="only the picture of the guide")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    test_set = read_test_set(sample_path("testset/source.de").parent)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for n in (5,) if asked.guide else (2, 5, 21):
            path = Path(folder) / f"report-{n}.html"
            path.write_text(
                compare(with_systems(test_set, n), ComparisonRecipe(all_pairs=True)).html(), encoding="utf-8"
            )
            if asked.guide:
                photograph(browser, path, asked.out / "comparison.png", 1280, "light", 1500)
                shrink(asked.out / "comparison.png")
                continue
            for width in WIDTHS:
                for scheme in SCHEMES:
                    photograph(browser, path, asked.out / f"report-{n}-{width}-{scheme}.png", width, scheme)
        browser.close()


if __name__ == "__main__":
    main()
