"""The page on security promises what the code does: its bounds, its options, its tests."""

from __future__ import annotations

import re
from pathlib import Path

from dragoman.cli.campaign import campaign
from dragoman.cli.serve import serve
from dragoman.store.judging import archived

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_the_bounds_of_restoring_are_those_of_the_code() -> None:
    stated = " ".join(PAGE.split())
    for bound in (
        f"{archived._LARGEST >> 20} MB and have {archived._MOST_ROWS:,} rows, {archived._MOST_PEOPLE:,} people",
        f"{archived._MOST_FILES:,} files and {archived._LONGEST_LINE >> 20} MB in a line",
    ):
        assert bound in stated
    guide = " ".join((ROOT / "docs/guides/campaign-server.md").read_text(encoding="utf-8").split())
    assert f"{archived._LARGEST >> 20} MB and have {archived._MOST_ROWS:,} rows" in guide


def test_what_was_tried_is_there() -> None:
    for path in re.findall(r"`((?:tests|bench|tools)/[\w./]+)`", PAGE):
        assert (ROOT / path).exists(), path
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make ([\w-]+)`", PAGE):
        assert f"\n{target}:" in makefile, target


def test_options_that_it_names_exist() -> None:
    commands = (serve, campaign.commands["export"])
    options = {text for command in commands for parameter in command.params for text in parameter.opts}
    of_the_trial = {"--people", "--seconds", "--think", "--version"}
    assert set(re.findall(r"(?<=[ `])--[a-z][a-z-]+(?=[` ])", PAGE)) - of_the_trial - options == set()
