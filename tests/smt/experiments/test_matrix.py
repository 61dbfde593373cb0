"""The matrix of directions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dragoman.errors import DataError
from dragoman.smt import EngineRecipe
from dragoman.smt.experiments import MatrixText, plan_matrix, translation_matrix


@pytest.fixture
def three(folder: Path, tmp_path: Path) -> Path:
    """English with German and with a third language: German in capitals, which no text pairs with German itself."""
    for part in ("train", "test"):
        for lang in ("en", "de"):
            shutil.copy(folder / f"{part}.{lang}", tmp_path / f"{part}.de-en.{lang}")
        shutil.copy(folder / f"{part}.en", tmp_path / f"{part}.nl-en.en")
        shouted = (folder / f"{part}.de").read_text(encoding="utf-8").upper()
        (tmp_path / f"{part}.nl-en.nl").write_text(shouted, encoding="utf-8")
    for lang in ("en", "de", "nl"):
        pair = "de-en" if lang != "nl" else "nl-en"
        shutil.copy(tmp_path / f"test.{pair}.{lang}", tmp_path / f"test.{lang}")
    return tmp_path


def test_all_directions_that_have_text_and_the_others_through_a_pivot(three: Path, small: EngineRecipe) -> None:
    text = MatrixText(("en", "de", "nl"), str(three / "train.{pair}.{lang}"), str(three / "test"), n_pairs=300)
    assert text.ways == [("en", "de"), ("en", "nl"), ("de", "en"), ("nl", "en")]
    work = three / "work"
    assert [row[0] for row in plan_matrix(text, small, work=work).rows] == ["en-de", "en-nl", "de-en", "nl-en"]
    matrix = translation_matrix(text, small, work=work, pivots=["en"])
    assert matrix.bleu("de", "nl") is None
    through = matrix.bleu("de", "nl", "en")
    assert through is not None
    assert through > 0
    assert {d.n_pairs for d in matrix.directions} == {300, None}
    assert [table.title for table in matrix.tables()] == ["BLEU", "BLEU through en", "Directions"]
    direct, pivoted, _ = matrix.tables()
    assert direct.rows[0] == ("en", None, matrix.bleu("en", "de"), matrix.bleu("en", "nl"))
    assert direct.rows[-1][0] == "mean"
    assert [column.name for column in pivoted.columns] == ["from", "de", "nl"]
    assert all(row[4] == "done" for row in plan_matrix(text, small, work=work).rows)


def test_a_way_through_a_pivot_is_compared_with_the_direct_one(
    folder: Path, small: EngineRecipe, tmp_path: Path
) -> None:
    for part in ("train", "test"):
        for lang, other in (("en", "en"), ("de", "de"), ("en", "fr")):
            shutil.copy(folder / f"{part}.{lang}", tmp_path / f"{part}.{other}")
    text = MatrixText(("en", "de", "fr"), str(tmp_path / "train"), str(tmp_path / "test"), n_pairs=100)
    matrix = translation_matrix(text, small, work=tmp_path / "work", pivots=["fr"])
    direct = next(d for d in matrix.directions if (d.source, d.target, d.through) == ("de", "en", ""))
    through = next(d for d in matrix.directions if (d.source, d.target, d.through) == ("de", "en", "fr"))
    assert through.delta == pytest.approx(through.bleu - direct.bleu)
    assert direct.delta is None


def test_wrong_matrices_are_named(folder: Path, small: EngineRecipe, tmp_path: Path) -> None:
    train, test = str(folder / "train"), str(folder / "test")
    with pytest.raises(DataError, match="two languages or more, each once; got de"):
        MatrixText(("de",), train, test)
    with pytest.raises(DataError, match="No two of de, en have a text nowhere"):
        MatrixText(("de", "en"), "nowhere", test)
    text = MatrixText(("de", "en"), train, str(folder / "tset"))
    with pytest.raises(DataError, match=r"no text de-en: looked for .*tset.de and .*tset.en"):
        translation_matrix(text, small, work=tmp_path)
    with pytest.raises(DataError, match="A pivot is one of the languages de, en; fr is not"):
        translation_matrix(text, small, work=tmp_path, pivots=["fr"])
