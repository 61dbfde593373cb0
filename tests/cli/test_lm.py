from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.files import read_text
from dragoman.lm import KneserNey, LanguageModel

LINES = ["the cat sat on the mat", "the dog sat on the log", "a cat and a dog"]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.en"
    path.write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    return path


def run(*arguments: object) -> str:
    done = CliRunner().invoke(group, ["lm", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output


def test_build_convert_and_back(text: Path, tmp_path: Path) -> None:
    run("build", text, "-m", tmp_path / "lm", "--order", 3, "--arpa", tmp_path / "first.arpa", "--json")
    run("convert", tmp_path / "first.arpa", tmp_path / "trie", "--structure", "trie", "--p-bits", 8, "--json")
    assert LanguageModel.load(tmp_path / "trie").structure == "trie"
    run("convert", tmp_path / "lm", tmp_path / "second.arpa.gz")
    assert read_text(tmp_path / "second.arpa.gz") == read_text(tmp_path / "first.arpa")


@pytest.mark.parametrize("method", ["linear", "log-linear"])
def test_mix(text: Path, tmp_path: Path, method: str) -> None:
    KneserNey(order=3).train(LINES).save(tmp_path / "one")
    KneserNey(order=2).train(["the train leaves", "a train"], arpa=tmp_path / "two.arpa")
    run(
        "mix",
        tmp_path / "one",
        tmp_path / "two.arpa",
        "--dev",
        text,
        "-m",
        tmp_path / "both",
        "--method",
        method,
        "--json",
    )
    weights = json.loads((tmp_path / "both" / "manifest.json").read_text(encoding="utf-8"))["recipe"]["weights"]
    assert weights[0] > weights[1]
    found = json.loads(run("score", text, "-m", tmp_path / "both", "--json"))
    assert found["rows"][0]["unknown"] == 0
    both = ["mix", str(tmp_path / "one"), "-m", str(tmp_path / "x"), "--weight", "1", "--dev", str(text)]
    done = CliRunner().invoke(group, ["lm", *both])
    assert (done.exit_code, "Give --dev or --weight, not both." in done.output) == (2, True)


def test_classes_and_levels(text: Path, tmp_path: Path) -> None:
    run("classes", text, "-n", 3, "-o", tmp_path / "classes.tsv")
    assert len(read_text(tmp_path / "classes.tsv").splitlines()) == 9
    run("build", text, "-m", tmp_path / "by-class", "--order", 2, "--classes", tmp_path / "classes.tsv", "--json")
    found = json.loads(run("score", text, "-m", tmp_path / "by-class", "--json"))
    assert (found["rows"][0]["tokens"], found["rows"][0]["unknown"]) == (20, 0)
    run("build", text, "-m", tmp_path / "by-character", "--order", 3, "--level", "char", "--json")
    found = json.loads(run("score", text, "-m", tmp_path / "by-character", "--json"))
    assert found["rows"][0]["tokens"] == sum(len(line) + 1 for line in LINES)
    both = ["build", str(text), "-m", str(tmp_path / "x"), "--classes", str(text), "--level", "char"]
    done = CliRunner().invoke(group, ["lm", *both])
    assert (done.exit_code, "--classes goes without" in done.output) == (2, True)
