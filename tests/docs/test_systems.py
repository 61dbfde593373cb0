"""docs/systems.md says for every system where it stands: what it names must exist."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from dragoman.cli.main import group

ROOT = Path(__file__).parents[2]
HEAD = ["system", "paper", "year", "room", "run", "proof", "state"]


def rows() -> list[list[str]]:
    lines = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8").splitlines()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in table if row != HEAD and set(row) != {"---"}]


each_system = pytest.mark.parametrize("row", rows(), ids=lambda row: re.findall("`(.*?)`", row[0])[0])


def command(words: list[str]) -> click.Command | None:
    current: click.Command | None = group
    for word in words:
        current = current.get_command(click.Context(current), word) if isinstance(current, click.Group) else None
    return current


@each_system
def test_what_a_system_names_exists(row: list[str]) -> None:
    system, paper, year, room, run, proof, state = row
    assert re.findall("`(.*?)`", system)
    assert paper
    assert 2000 < int(year) < 2030
    assert room
    commands, tests = re.findall("`dragoman (.*?)`", run), re.findall("`(.*?)`", proof)
    for words in commands:
        assert command(words.split()) is not None, f"dragoman {words}"
    for test in tests:
        assert (ROOT / test).is_file(), test
    if state.startswith("not there"):
        assert (run, proof) == ("–", "–")
    else:
        assert re.match(r"there|in part: ", state)
        assert commands
        assert tests


def test_every_system_has_one_row() -> None:
    systems = [name for row in rows() for name in re.findall("`(.*?)`", row[0])]
    assert len(systems) == len(set(systems)) >= 85


def test_a_command_that_is_not_there_is_seen() -> None:
    assert command(["smt", "train"]) is not None
    assert command(["smt", "gather"]) is None
    assert command(["score", "train"]) is None
