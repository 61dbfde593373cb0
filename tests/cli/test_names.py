"""`dragoman syntax names`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.samples import copy_samples


def run(*arguments: object, text: str = "") -> Result:
    return CliRunner().invoke(group, ["syntax", "names", *map(str, arguments)], input=text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("names")
    copy_samples(found)
    done = run("train", found / "names.en.bio", "-m", found / "model", "--epochs", 5)
    assert done.exit_code == 0, done.output
    return found


def test_learning_tells_how_good_it_is(folder: Path) -> None:
    bio = folder / "names.en.bio"
    (folder / "places.txt").write_text("Vienna\nGraz\n", "utf-8")
    listed = f"places={folder / 'places.txt'}"
    done = run("train", bio, "-m", folder / "x", "--dev", bio, "--list", listed, "--epochs", 2, "--json")
    assert done.exit_code == 0, done.output
    rows = {row["kind"]: row for row in json.loads(done.output)["rows"]}
    assert list(rows) == ["all", "LOC", "MISC", "ORG", "PER"]
    assert rows["all"]["expected"] == 249
    assert run("train", bio, "-m", folder / "x", "--list", "places").exit_code == 2


def test_names_in_columns_and_in_a_table(folder: Path) -> None:
    text = "Anna Keller lives in Vienna .\n\n"
    done = run("apply", "-m", folder / "model", text=text)
    assert done.output == "Anna B-PER\nKeller I-PER\nlives O\nin O\nVienna B-LOC\n. O\n\n\n"
    shown = json.loads(run("apply", "-m", folder / "model", "--json", text=text).output)
    assert shown["rows"] == [
        {"line": 1, "first": 1, "last": 2, "kind": "PER", "name": "Anna Keller"},
        {"line": 1, "first": 5, "last": 5, "kind": "LOC", "name": "Vienna"},
    ]
    assert shown["meta"]["lines"] == 2


def test_evaluating(folder: Path) -> None:
    done = run("evaluate", folder / "names.en.bio", "-m", folder / "model")
    assert done.exit_code == 0
    assert "150 sentences" in done.output
    missing = run("evaluate", folder / "names.en.bio", "-m", folder / "nothing")
    assert missing.exit_code == 1
    assert "There is no model folder" in str(missing.exception)
