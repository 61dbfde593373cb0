"""Bitexts without the pivot that they share."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.corpus.pivot import Pivot
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.files import read_lines

FIRST = Bitext.from_lines(
    ["ano", "jo", "ne", "kočka", ""], ["yes", "yes ", "no", "cat", ""], source_lang="cs", target_lang="en"
)
SECOND = Bitext.from_lines(
    ["no", "yes", "yes", "dog", ""], ["nein", "ja", "jawohl", "Hund", ""], source_lang="en", target_lang="de"
)


def test_all_pairs_of_a_pivot_sentence() -> None:
    result = Pivot().join(FIRST, SECOND)
    assert list(result.bitext) == [("ano", "ja"), ("ano", "jawohl"), ("jo", "ja"), ("jo", "jawohl"), ("ne", "nein")]
    assert result.bitext.pair == "cs-de"
    assert [(side.pairs, side.met) for side in result.sides] == [(5, 3), (5, 3)]


def test_the_first_pair_alone_and_at_most_so_many() -> None:
    assert list(Pivot(duplicates="first").join(FIRST, SECOND).bitext) == [("ano", "ja"), ("ne", "nein")]
    assert len(list(Pivot(most=3).join(FIRST, SECOND).bitext)) == 4


def test_equal_pairs_come_once() -> None:
    twice = Bitext.from_lines(["a", "a"], ["p", "p"])
    assert list(Pivot().join(twice, Bitext.from_lines(["p"], ["b"])).bitext) == [("a", "b")]


def test_pivots_of_two_languages_are_refused() -> None:
    with pytest.raises(DataError, match=r"ends in en, .* begins with fr\. Name the pivot second in the first bitext"):
        Pivot().join(FIRST, Bitext.from_lines(["oui"], ["ja"], source_lang="fr", target_lang="de"))


def test_the_command_takes_four_files(tmp_path: Path) -> None:
    for name, lines in {"a.cs": ["ano"], "a.en": ["yes"], "b.en": ["yes"], "b.de": ["ja"]}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("a.cs", "a.en", "b.en", "b.de")]
    words = ["corpus", "pivot", *files, "--to", str(tmp_path / "out"), "--json"]
    told = json.loads(CliRunner(catch_exceptions=False).invoke(group, words).output)
    assert told["meta"]["pairs"] == 1
    assert (tmp_path / "out.cs").read_text() + (tmp_path / "out.de").read_text() == "ano\nja\n"
    refused = CliRunner(catch_exceptions=False).invoke(group, ["corpus", "pivot", *files[:3], "--to", "x"])
    assert "two files each, or one of a format each; got 3" in refused.output


@pytest.mark.realdata
def test_pivoting_captions_gives_the_direct_corpus_but_for_repeated_english(data_folder: Path) -> None:
    german, english, czech = (read_lines(data_folder / "multi30k" / f"train.{lang}.gz") for lang in ("de", "en", "cs"))
    joined = set(Pivot().join(Bitext.from_lines(german, english), Bitext.from_lines(english, czech)).bitext)
    counts = Counter(line.strip() for line in english)
    direct = {(de, cs) for de, en, cs in zip(german, english, czech, strict=True)}
    once = {(de, cs) for de, en, cs in zip(german, english, czech, strict=True) if counts[en.strip()] == 1}
    assert once <= joined
    assert len(once) > 28_500
    assert direct <= joined  # no line of English stands often enough to meet the limit
