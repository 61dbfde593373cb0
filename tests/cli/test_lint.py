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
        ([], "Name one test set or bitext, the two sides of a bitext, or system outputs with --src or --ref"),
        (["a", "b", "c"], "Name one test set or bitext"),
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


def test_two_files_of_different_languages_are_a_pair(folder: Path) -> None:
    done = run("bad.de", "bad.en", "--json", "-c", "empty")
    assert [row["segment"] for row in json.loads(done.stdout)["rows"]] == [3]
    (folder / "other.en").write_text("a\nb\n", encoding="utf-8")
    assert "the two sides of a bitext" in run("good.en", "other.en").output


def test_html_entities_are_found_and_clean_resolves_them(folder: Path) -> None:
    (folder / "web.de").write_text("Tom &amp;amp; Jerry\nfr&uuml;h&#10;spät\nAT&T; &foo;\n", encoding="utf-8")
    (folder / "web.en").write_text("Tom & Jerry\nearly &#8217;\nnothing\n", encoding="utf-8")
    rows = json.loads(run("web.de", "web.en", "--json", "-c", "entity").stdout)["rows"]
    assert [(row["stream"], row["segment"], row["detail"]) for row in rows] == [
        ("source", 1, "&amp;"),
        ("source", 2, "&uuml;, &#10;"),
        ("target", 2, "&#8217;"),
    ]
    clean = ["corpus", "clean", "web.de", "web.en", "-f", "empty"]
    done = CliRunner(catch_exceptions=False).invoke(group, [*clean, "--to", "out", "--json"])
    assert json.loads(done.stdout)["meta"]["mended"] == 2
    assert (folder / "out.de").read_text(encoding="utf-8") == "Tom & Jerry\nfrüh spät\nAT&T; &foo;\n"
    assert (folder / "out.en").read_text(encoding="utf-8") == "Tom & Jerry\nearly ’\nnothing\n"
    CliRunner(catch_exceptions=False).invoke(group, [*clean, "--to", "kept", "--keep-entities"])
    assert (folder / "kept.de").read_bytes() == (folder / "web.de").read_bytes()


def test_other_encodings_are_read_or_refused(folder: Path) -> None:
    (folder / "latin.de").write_bytes("zwei Häuser\ndrei\n".encode("latin-1"))
    (folder / "latin.en").write_bytes(b"two houses\nthree\n")
    assert "latin.de:1: byte 7 of the line (0xE4) is not UTF-8" in str(run_wrong("latin.de", "latin.en"))
    assert run("latin.de", "latin.en", "-e", "latin-1", "-c", "invalid").exit_code == 0
    tokens = CliRunner(catch_exceptions=False).invoke(group, ["text", "tokenize", "latin.de", "-e", "cp1252"])
    assert tokens.stdout.startswith("zwei Häuser")
    assert "Invalid value for '-e' / '--encoding': Unknown encoding 'klingon'." in run("x", "-e", "klingon").output
    assert "iconv -f utf-16" in run("x", "-e", "utf-16").output
    (folder / "ascii.de").write_bytes(b"gut\nsch\xf6n\n")
    assert "ascii.de:2: this is not ascii" in str(run_wrong("ascii.de", "latin.en", "-e", "ascii"))


def run_wrong(*words: str) -> BaseException | None:
    return CliRunner().invoke(group, ["lint", *words]).exception
