from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data.bitext import Bitext
from dragoman.data.formats.bitext_lines import BitextLines
from dragoman.data.formats.tmx import TmxFormat
from dragoman.errors import UnknownName

GOOD = [("ein Haus", "a house"), ("zwei Häuser", "two houses")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, pairs in (("good", GOOD), ("bad", [*GOOD, ("drei", "")])):
        bitext = Bitext.from_pairs(pairs, source_lang="de", target_lang="en")
        TmxFormat().write(bitext, tmp_path / f"{name}.tmx")
        BitextLines().write(bitext, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner(catch_exceptions=False).invoke(group, ["lint", *words])


def test_strict_tells_by_its_exit_code(folder: Path) -> None:
    assert run("good.tmx", "--strict").exit_code == 0
    assert run("bad.tmx").exit_code == 0
    done = run("bad.tmx", "--strict", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["meta"]["counts"]["empty"] == 1


def test_files_prefixes_and_formats(folder: Path) -> None:
    for words in (
        ["-s", "bad.de", "-r", "bad.en"],
        ["bad.en", "-s", "bad.de", "--pair", "de-en"],
        ["bad", "--format", "bitext-lines:source_lang=de,target_lang=en"],
        ["bad", "--pair", "de-en", "--format", "bitext-lines"],
    ):
        done = run(*words, "--json", "-c", "empty", "--all")
        assert [row["segment"] for row in json.loads(done.stdout)["rows"]] == [3]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Name one test set or bitext, or system outputs with --src or --ref"),
        (["a", "b"], "Name one test set or bitext"),
        (["bad.en", "-s", "bad.de", "--format", "sgm"], "leave --format out"),
        (["good.tmx", "--limit", "0"], "0 is not in the range"),
    ],
)
def test_wrong_calls_exit_2(folder: Path, words: list[str], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_wrong_check_is_named(folder: Path) -> None:
    with pytest.raises(UnknownName, match=r"No lint check is called 'emtpy'\. Did you mean 'empty'\?"):
        run("good.tmx", "-c", "emtpy")
