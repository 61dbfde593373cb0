"""Pivot paraphrases: probabilities by hand, real text, and METEOR with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.metrics.meteor import Meteor
from dragoman.smt import AlignedText, ParaphraseRecipe, PhraseExtraction
from dragoman.smt.pairs import encode
from dragoman.smt.phrase_table import UNKNOWN
from dragoman.text.vocabulary import Vocabulary

PAIRS = [("voiture", "car"), ("voiture", "car"), ("voiture", "automobile"), ("auto", "car"), ("chien", "dog")]


def by_hand(recipe: ParaphraseRecipe) -> dict[tuple[str, str], float]:
    """Paraphrases of words that are linked one by one."""
    source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
    ids = encode(source, [french for french, _ in PAIRS]), encode(target, [english for _, english in PAIRS])
    links = np.zeros((len(PAIRS), 2), dtype=np.uint16)
    text = AlignedText(*ids, links, np.arange(len(PAIRS) + 1, dtype=np.int64))
    table = PhraseExtraction(longest=2, smoothing="none", orientation="none").extract(text, source, target)
    return {(each.phrase, each.paraphrase): each.p for each in recipe.pivoted(table, ids[0])}


def test_the_probability_is_summed_over_what_both_translate() -> None:
    found = by_hand(ParaphraseRecipe(least=0.0))
    # p(voiture | car) · p(automobile | voiture) = 2/3 · 1/3; p(voiture | automobile) · p(car | voiture) = 1 · 2/3.
    assert found == {
        ("car", "automobile"): pytest.approx(2 / 9, rel=1e-5),
        ("automobile", "car"): pytest.approx(2 / 3, rel=1e-5),
    }
    assert set(by_hand(ParaphraseRecipe(least=0.5))) == {("automobile", "car")}


def test_the_command_writes_what_meteor_reads(tmp_path: Path) -> None:
    french, english = ["Voiture.", "voiture.", "chien."], ["Car.", "automobile.", "dog."]
    for name, lines in (("text.fr", french), ("text.en", english)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines * 20), encoding="utf-8")
    table = tmp_path / "paraphrases.gz"
    arguments = ["paraphrases", str(tmp_path / "text.fr"), str(tmp_path / "text.en"), "--to", str(table)]
    result = CliRunner().invoke(group, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert "paraphrases of" in result.output
    lines = read_lines(table)
    assert "automobile" in lines[1::3]
    metric = Meteor(paraphrases=str(table))
    assert (
        metric.segments(["the car"], [["the automobile"]])[0] > Meteor().segments(["the car"], [["the automobile"]])[0]
    )


@pytest.mark.parametrize(("options", "expected"), [({}, set()), ({"parts": True}, {"red"}), ({"marks": True}, {"!"})])
def test_marks_and_parts_are_left_out_unless_asked_for(options: dict[str, bool], expected: set[str]) -> None:
    source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
    ids = encode(source, ["rouge"] * 3), encode(target, ["dark red", "red", "!"])
    links = np.array([(0, 0), (0, 1), (0, 0), (0, 0)], dtype=np.uint16)
    text = AlignedText(*ids, links, np.array([0, 2, 3, 4], dtype=np.int64))
    table = PhraseExtraction(longest=2, smoothing="none", orientation="none").extract(text, source, target)
    found = {
        each.paraphrase for each in ParaphraseRecipe(**options).pivoted(table, ids[0]) if each.phrase == "dark red"
    }
    assert found == expected


def test_texts_of_different_length_are_named() -> None:
    with pytest.raises(DataError, match="got pivot=1, text=2"):
        ParaphraseRecipe().find(["un"], ["one", "two"])


@pytest.mark.realdata
def test_real_news_has_real_paraphrases(data_folder: Path) -> None:
    folder = data_folder / "news-commentary-sample"
    french, english = (read_lines(folder / f"nc-5k.{lang}.gz")[:1500] for lang in ("fr", "en"))
    found = ParaphraseRecipe(longest=2, least=0.05).find(
        [line.lower() for line in french], [line.lower() for line in english]
    )
    pairs = {(each.phrase, each.paraphrase) for each in found.pairs}
    assert ("big", "large") in pairs or ("large", "big") in pairs
    for phrase in {each.phrase for each in found.pairs}:
        assert sum(each.p for each in found.pairs[:500] if each.phrase == phrase) <= 1 + 1e-6
