"""`dragoman align` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.align import align
from dragoman.errors import DragomanError, FormatError
from dragoman.samples import phrasebook


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for lang in ("en", "de"):
        text = "".join(f"{line.lower()}\n" for line in phrasebook()[lang][:80])
        (tmp_path / f"book.{lang}").write_text(text, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> str:
    result = CliRunner().invoke(align, arguments)
    if isinstance(result.exception, DragomanError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_links_go_to_standard_output(folder: Path) -> None:
    lines = run("book.en", "book.de", "--method", "diagonal").splitlines()
    assert len(lines) == 80
    assert lines[0].split()[0].count("-") == 1


def test_a_saved_model_aligns_again(folder: Path) -> None:
    made = json.loads(run("book.en", "book.de", "-o", "a", "--method", "hmm:rounds=2", "--save", "model", "--json"))
    assert made["kind"] == "alignment"
    assert made["rows"][0]["pairs"] == 80
    assert made["meta"]["recipe"]["method"] == "hmm"
    assert made["meta"]["seed"] == 1
    again = json.loads(run("book.en", "book.de", "-o", "b.gz", "--model", "model", "--threads", "2", "--json"))
    assert again["rows"] == made["rows"]


def test_gold_posteriors_and_what_is_known(folder: Path) -> None:
    for number, name in enumerate(("gold", "anchors")):
        (folder / name).write_text(f"{1 - number}-{1 - number}\n" + "\n" * 79, encoding="utf-8")
    (folder / "terms").write_text("good ||| guten\n", encoding="utf-8")
    output = run(
        "book.en",
        "book.de",
        "-o",
        "a",
        "--method",
        "ibm1",
        "--gold",
        "gold",
        "--posteriors",
        "p",
        "--anchors",
        "anchors",
        "--glossary",
        "terms",
        "--priors",
        "terms",
        "--symmetrise",
        "posterior",
        "--threshold",
        "0.3",
    )
    assert "Against the reference links" in output
    assert (folder / "a").read_text().startswith("0-0")
    assert (folder / "p").read_text().startswith("0-0:1.0000")


def test_wrong_calls_are_answered(folder: Path) -> None:
    def refused(*arguments: str) -> str:
        result = CliRunner().invoke(align, arguments)
        assert result.exit_code == 2
        return result.output

    assert "name a file for them with -o" in refused("book.en", "book.de", "--json")
    assert "Leave one of them out" in refused("book.en", "book.de", "--model", ".", "--save", "y")
    assert "Only one side can come from standard input" in refused("-", "-")
    assert "No aligner is called 'giza'" in refused("book.en", "book.de", "--method", "giza")
    (folder / "short").write_text("one line\n", encoding="utf-8")
    with pytest.raises(DragomanError, match="srcs=80, tgts=1"):
        run("book.en", "short")
    (folder / "gold").write_text("0-1\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"gold:1: The link '0-1' has a word 0"):
        run("book.en", "book.de", "-o", "x", "--method", "ibm1", "--gold", "gold")
