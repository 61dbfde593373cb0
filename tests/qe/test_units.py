"""Units smaller than words: what becomes of words, and what models of them say."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.align.ibm import Ibm1
from dragoman.errors import DataError
from dragoman.lm import KneserNey
from dragoman.qe import Resources, extract_features
from dragoman.qe.features import feature_set
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import UnitModels, UnitRecipe
from dragoman.text import MorphemeRecipe

STEMS = ("walk", "talk", "jump", "paint", "climb", "shout")
SOURCES = [f"{stem} {stem}ing {stem}ed {stem}s" for stem in STEMS]
TARGETS = [f"{stem} {stem}end {stem}te {stem}t" for stem in STEMS]


@pytest.fixture(scope="module")
def morphemes() -> UnitModels:
    return UnitRecipe(unit="morpheme").train(SOURCES, TARGETS)


def test_morphemes_are_learnt_from_each_side(morphemes: UnitModels, tmp_path: Path) -> None:
    assert morphemes.units("source", ["Walking talked", ""]) == ["▁walk ing ▁talk ed", ""]
    assert morphemes.units("target", ["walkend"]) == ["▁walk end"]
    again = UnitModels.load(morphemes.save(tmp_path / "units"))
    for side in ("source", "target"):
        assert again.spans(side, SOURCES) == morphemes.spans(side, SOURCES) == morphemes.units(side, SOURCES)
    assert again.sizes == morphemes.sizes


def test_scores_are_those_of_models_of_the_cut_text(morphemes: UnitModels) -> None:
    cut = [
        MorphemeRecipe().train(map(str.lower, lines)).cut([line.lower() for line in lines])
        for lines in (SOURCES, TARGETS)
    ]
    specs = ["unit-lm:unit=morpheme", "unit-ibm1:unit=morpheme,of=source", "unit-ibm1:unit=morpheme,per=target"]
    found = extract_features(
        SOURCES,
        TARGETS,
        FeatureRecipe(features=tuple(specs), check_languages=False),
        resources=Resources.of(morphemes=morphemes),
    )
    ibm1 = Ibm1().train(*cut)
    links = ibm1.align(*cut)
    assert found.values[:, 0] == pytest.approx(KneserNey(order=6).train(cut[1]).score(cut[1]))
    assert found.values[:, 1] == pytest.approx(links.log_p_backward)
    assert found.values[:, 2] == pytest.approx([value / 4 for value in links.log_p_forward])


def test_popovics_set_asks_for_morphemes_and_black_box_does_not() -> None:
    needed = {name for feature in feature_set("dfki-p12") for name in feature.needed()}
    assert {"morphemes", "classes"} <= needed
    assert "pieces" not in needed
    assert "morphemes" not in {name for feature in feature_set("black-box") for name in feature.needed()}
    with pytest.raises(DataError, match="morphemes"):
        extract_features(["a"], ["b"], FeatureRecipe(features=("unit-lm:unit=morpheme",)))


@pytest.mark.parametrize("unit", ["piece", "morpheme"])
def test_lines_of_more_units_than_an_aligner_takes(unit: str) -> None:
    models = UnitRecipe(unit=unit, order=2).train([*SOURCES, "walking " * 3000], [*TARGETS, "walk"])
    assert len(models.units("source", ["walking " * 3000])[0].split()) == 6000
    assert len(models.spans("source", ["walking " * 3000])[0].split()) == 4096
