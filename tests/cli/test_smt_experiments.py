"""`dragoman smt ladder|curve`: the texts reach the experiments, and what is missing is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.samples import copy_samples


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    copy_samples(tmp_path / "samples")
    folder = tmp_path / "samples" / "testset"
    for lang, name in (("de", "source.de"), ("en", "reference-A.en")):
        lines = (folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / f"train.{lang}").write_text("".join(lines[:60]), encoding="utf-8")
        (tmp_path / f"test.{lang}").write_text("".join(lines[60:]), encoding="utf-8")
    return ["--src", "train.de", "--tgt", "train.en", "--test-src", "test.de", "--test-ref", "test.en", "--work", "w"]


@pytest.mark.parametrize(
    "words", [["smt", "ladder", "samples/ladder.toml", "--pairs", "50"], ["smt", "curve", "--points", "2"]]
)
def test_a_plan_knows_its_texts(texts: list[str], words: list[str]) -> None:
    done = CliRunner().invoke(group, [*words, *texts, "--explain", "--json"])
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)["rows"]) >= 2
    assert not list(Path("w").glob("**/manifest.json"))  # a plan trains nothing


def test_what_is_missing_is_said(texts: list[str]) -> None:
    ladder = CliRunner().invoke(group, ["smt", "ladder", "samples/ladder.toml", *texts[4:], "--pairs", "3"])
    assert (ladder.exit_code, "--pairs is of the text given here" in ladder.output) == (2, True)
    unnamed = Path("plain")
    unnamed.write_text("a\n")
    curve = CliRunner().invoke(group, ["smt", "curve", "--src", "plain", "--tgt", "plain", *texts[4:]])
    assert (curve.exit_code, "Name the languages with --lang-src" in curve.output) == (2, True)
