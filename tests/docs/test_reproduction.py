"""docs/reproduction.md says the state of every published figure: what it names exists, and nothing is left out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest

from dragoman.qe.features.sets import FEATURE_SETS
from tests.docs.test_systems import command

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
FIGURES = ["figure", "where", "state", "reason"]
TESTS = ["test", "what it holds"]
SETS_HEAD = ["set", "paper", "not there", "needs"]


def tables() -> list[list[list[str]]]:
    """The tables of the page, each with its head first."""
    found: list[list[list[str]]] = []
    before = ""
    for line in TEXT.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
            if before.startswith("|"):
                found[-1].append(cells)
            else:
                found.append([cells])
        before = line
    return [[table[0], *table[2:]] for table in found]


def with_head(head: list[str]) -> list[list[str]]:
    return [row for table in tables() if table[0] == head for row in table[1:]]


def test_every_row_has_the_cells_of_its_head() -> None:
    for head, *rows in tables():
        for row in rows:
            assert len(row) == len(head), row


def test_every_figure_says_where_it_stands_and_why() -> None:
    rows = with_head(FIGURES)
    assert len(rows) > 90
    for row in rows:
        assert all(row), row
    figures = [(row[0], row[1]) for row in rows]
    assert len(set(figures)) == len(figures), "a figure stands there twice"


def quoted() -> list[str]:
    return sorted(set(re.findall("`([^`]+)`", TEXT)))


def test_files_that_are_named_are_there() -> None:
    named = [words.split()[0] for words in quoted() if re.match(r"(tests|docs|bench|cpp|examples|tools)/", words)]
    assert len(named) > 8
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("line", [words for words in quoted() if words.startswith("dragoman ")])
def test_commands_that_are_named_are_there_with_their_options(line: str) -> None:
    words = line.split()[1:]
    names = [word for n, word in enumerate(words) if not any(each.startswith("-") for each in words[: n + 1])]
    called: click.Command | None = None
    while names and called is None:  # what stands behind a command is its argument
        called = command(names)
        names = names[:-1]
    assert called is not None, line
    known = {spelling for option in called.params for spelling in (*option.opts, *option.secondary_opts)}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known


def test_sets_of_quality_features_are_there() -> None:
    named = [re.findall("`(.*?)`", row[0]) for row in with_head(SETS_HEAD)]
    sets = {name for names in named for name in names}
    assert len(sets) > 10
    assert sets <= set(FEATURE_SETS)


def test_every_published_value_test_stands_there_by_its_first_sentence() -> None:
    """A row reads as the test's own first paragraph, so that neither is changed alone."""
    listed = {re.findall("`(.*?)`", row[0])[0]: row[1] for row in with_head(TESTS)}
    expected = {}
    for path in sorted((ROOT / "tests" / "published").glob("test_*.py")):
        told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        expected[path.relative_to(ROOT).as_posix()] = " ".join(told.split("\n\n")[0].split()).replace("|", "\\|")
    assert listed == expected, "\n".join(f"| `{name}` | {told} |" for name, told in expected.items())


def test_the_check_sees_what_is_not_there() -> None:
    assert command(["qe", "guess"]) is None
    assert not (ROOT / "tests/published/test_nothing.py").exists()
