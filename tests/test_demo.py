"""The demo: every step runs, its commands are real, and the pages are written."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.demo import run_demo
from dragoman.errors import DataError


def test_every_step_runs_and_its_command_works_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    demo = run_demo("demo", progress=told.append)
    assert told == [step.name for step in demo.steps]
    assert told == [
        "samples",
        "lint",
        "tokenise",
        "corpus statistics",
        "score",
        "compare",
        "rank",
        "quality control",
        "meta-evaluation",
        "shared task",
        "engine",
        "campaign",
        "workbench",
    ]
    for step in demo.steps:
        words = shlex.split(step.command)[1:]
        words = [str(path) for word in words for path in (sorted(Path().glob(word)) if "*" in word else [word])]
        done = CliRunner().invoke(group, words)
        assert done.exit_code == 0, f"{step.command}\n{done.output}"
    page = (tmp_path / "demo" / "index.html").read_text(encoding="utf-8")
    assert all(f">{step.section.heading}</h2>" in page for step in demo.steps)
    assert demo.campaign is not None
    assert demo.campaign.careless == ("simulated-3",)
    assert demo.campaign.ranking.simulated
    assert f"The live ranking of the simulated campaign: {demo.campaign.link}" in demo.render()
    cards = page[page.index('class="cards"') : page.index("</section>")]
    linked = re.findall(r'<a href="([^"]+)"', cards)
    written = sorted(str(path.relative_to(tmp_path / "demo")) for path in (tmp_path / "demo").rglob("*.html"))
    assert sorted([*linked, "index.html"]) == written  # every page is linked
    assert cards.count("<svg") == 3
    for name in ("letter.html", "translated/letter.html", "edit-log.html"):
        assert f'<a href="{name}">' in page
    letter = (tmp_path / "demo" / "translated" / "letter.html").read_text(encoding="utf-8")
    assert "<p>Thank you for your understanding.</p>" in letter
    assert "simulated-translator" in (tmp_path / "demo" / "edit-log.html").read_text(encoding="utf-8")
    assert "<svg" in (tmp_path / "demo" / "comparison.html").read_text(encoding="utf-8")


def test_a_file_is_no_place_for_the_demo(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="is a file; name a folder for the demo"):
        run_demo(tmp_path / "file")
