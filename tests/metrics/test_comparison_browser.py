"""The comparison page in a real browser, opened from disk."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dragoman.files import read_lines
from dragoman.metrics import compare
from dragoman.samples import sample_path

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

REF = read_lines(sample_path("testset/reference-A.en"))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    systems = {name: read_lines(sample_path(f"testset/systems/{name}.en")) for name in ("cobalt", "atlas", "ember")}
    systems["atlas"][0] = "قطارنا إلى فيينا يغادر غدا <b>"
    made = compare(systems, [REF], metrics=["bleu", "wer"], trials=50, langs=("de", "en"))
    path = tmp_path_factory.mktemp("page") / "comparison.html"
    path.write_text(made.html(), encoding="utf-8")
    return path


def dom(page: Path, fragment: str, profile: Path) -> str:
    """The page as it stands after its script has run."""
    assert BROWSER is not None
    flags = [
        "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--virtual-time-budget=3000", f"--user-data-dir={profile}",
    ]  # fmt: skip
    command = [BROWSER, *flags, "--dump-dom", f"{page.as_uri()}{fragment}"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def shown(text: str) -> list[int]:
    return [int(number) for number in re.findall(r'<article [^>]*aria-labelledby="seg-(\d+)"', text)]


def test_the_segments_are_shown_page_by_page(page: Path, tmp_path: Path) -> None:
    found = dom(page, "#sort=segment", tmp_path)
    assert shown(found) == list(range(1, 26))
    assert "80 / 80 · page 1 / 4" in found
    assert '<p dir="auto" lang="en">' in found
    assert "&lt;b&gt;" in found  # text stays text
    assert '<option value="delta">largest difference first</option>' in found


def test_the_address_chooses_systems_filters_and_order(page: Path, tmp_path: Path) -> None:
    found = dom(page, "#left=ember&right=atlas&metric=wer&text=printer&sort=segment", tmp_path)
    wanted = [i for i, line in enumerate(REF, start=1) if "printer" in line.lower()]
    assert set(wanted) <= set(shown(found))
    assert len(shown(found)) < 25
    assert re.search(r"\u2068ember\u2069 \d+\.\d · \u2068atlas\u2069 \d+\.\d · gain of the right", found)


def test_an_address_of_a_section_or_of_another_report_does_no_harm(page: Path, tmp_path: Path) -> None:
    assert len(shown(dom(page, "#s2", tmp_path / "one"))) == 25
    assert "cobalt" in dom(page, "#left=nobody&metric=unknown", tmp_path / "two")
