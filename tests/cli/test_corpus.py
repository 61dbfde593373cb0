from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data.bitext import Bitext
from dragoman.data.bitext_files import language_of_file, read_bitext, write_bitext
from dragoman.data.formats.bitext_lines import BitextLines
from dragoman.errors import DataError, DragomanError
from dragoman.text import TOKENISERS, Tokeniser
from dragoman.text.languages import parse_pair

PAIRS = [("ein Haus", "a house"), ("", "nothing"), ("ein Haus", "a house"), ("zwei Häuser", "two houses")]


@dataclass(frozen=True)
class Letters(Tokeniser):
    """Each character but the space a token."""

    name: ClassVar[str] = "letters"
    first: int = 100  # characters looked at

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        return [" ".join(line[: self.first]) for line in lines]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    BitextLines().write(Bitext.from_pairs(PAIRS, source_lang="de", target_lang="en"), tmp_path / "train")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner(catch_exceptions=False).invoke(group, words)


def test_clean_writes_what_is_left(folder: Path) -> None:
    done = run("corpus", "clean", "train.de", "train.en", "-f", "empty", "-f", "duplicate", "--to", "clean.gz")
    assert done.exit_code == 0
    assert "2 of 4 pairs left" in done.stdout
    assert list(read_bitext(["clean"], pair="de-en")) == [PAIRS[0], PAIRS[3]]
    assert run("corpus", "clean", "clean", "--pair", "de-en", "--to", "clean.tmx").exit_code == 0
    assert list(read_bitext(["clean.tmx"])) == [PAIRS[0], PAIRS[3]]


def test_split_writes_its_parts(folder: Path) -> None:
    (folder / "parts").mkdir()
    done = run("corpus", "split", "train.de", "train.en", "-p", "dev=1", "--rest", "more", "--to", "parts", "--gzip")
    assert done.exit_code == 0
    assert sorted(path.name for path in (folder / "parts").iterdir()) == [
        "dev.de.gz",
        "dev.en.gz",
        "more.de.gz",
        "more.en.gz",
    ]
    parts = [pair for name in ("dev", "more") for pair in BitextLines("de", "en").read(f"parts/{name}")]
    assert sorted(parts) == sorted(PAIRS)


def test_stats_with_a_tokeniser_for_all_or_for_each(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TOKENISERS, "_all", {"letters": f"{__name__}:Letters"})

    def tokens(*words: str) -> list[int]:
        done = run("corpus", "stats", "train.de", "train.en", *words, "--json")
        return [row["tokens"] for row in json.loads(done.stdout)["rows"]]

    assert tokens() == [6, 7]
    assert tokens("-t", "letters") == [24, 28]
    assert tokens("-t", "letters:first=1", "-t", "letters:first=2") == [3, 6]
    done = run("corpus", "stats", "train.de", "train.en", *["-t", "letters"] * 3)
    assert done.exit_code == 2
    assert "Name one tokeniser for all, or one for each of 2 sides" in done.stderr


def test_shuffle_needs_a_place(folder: Path) -> None:
    assert run("corpus", "shuffle", "train.de", "train.en").exit_code == 2
    assert run("corpus", "shuffle", "train.de", "train.en", "--to", "x.jsonl").exit_code == 0
    assert sorted(read_bitext(["x.jsonl"], format="bitext-jsonl")) == sorted(PAIRS)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["split", "train.de", "train.en", "-p", "dev"], "A part is NAME=PAIRS, each name once; got 'dev'"),
        (["split", "train.de", "train.en", "-p", "dev=1", "-p", "dev=2"], "each name once; got 'dev=2'"),
        (["stats"], "Missing argument 'DATA...'"),
        (["clean", "train.de", "train.en", "--format", "bitex-tsv"], "Did you mean 'bitext-tsv'?"),
    ],
)
def test_wrong_calls_exit_2(folder: Path, words: list[str], message: str) -> None:
    done = run("corpus", *words)
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["clean", "train.de"], r"train\.de is no bitext by its name\. Name two files, or a format of: bitext-jsonl"),
        (["clean", "train.de", "--format", "lines"], "The format lines does not hold a bitext"),
        (["clean", "a", "b", "c"], "A bitext is two files of lines or one file of a format; got 3 paths"),
        (["clean", "train.de", "train.en", "--pair", "deutsch"], "The language pair 'deutsch' is not made of two"),
        (["clean", "train.de", "train.en", "-f", "langth"], "No filter is called 'langth'. Did you mean 'length'?"),
    ],
)
def test_wrong_input_raises_what_main_turns_into_exit_1(folder: Path, words: list[str], message: str) -> None:
    with pytest.raises(DragomanError, match=message.replace("?", r"\?")):
        run("corpus", *words)


def test_languages_come_from_the_pair_or_the_files(folder: Path) -> None:
    assert read_bitext(["train.de", "train.en"]).pair == "de-en"
    assert read_bitext(["train.de", "train.en"], pair="fr-it").pair == "fr-it"
    assert parse_pair("pt_BR-zh-Hant") == ("pt-BR", "zh-Hant")
    assert [language_of_file(name) for name in ("a.de.gz", "b.pt-BR", "out.txt", "plain", "x.log")] == [
        "de",
        "pt-BR",
        None,
        None,
        None,
    ]
    with pytest.raises(DataError, match="name both languages"):
        write_bitext(Bitext.from_pairs(PAIRS), folder / "x")
