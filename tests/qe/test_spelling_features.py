"""Features of spelling: what they count, where the dictionary lies, and sets without one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.data import Bitext
from dragoman.errors import DataError, ModelError
from dragoman.qe.features import extract_features
from dragoman.qe.features.base import feature_set
from dragoman.qe.recipes import FeatureRecipe, ResourceRecipe
from dragoman.qe.resources import Resources, build_resources, load_resources
from dragoman.qe.resources.dictionaries import SpellingDictionary
from tests.text.hunspell_files import write_dictionary

SOURCES = ["the cats sleep", "cat , 12 !", ""]
OUTPUTS = ["las gatas sleep", "the gato , 12 !", "Gatos"]


@pytest.fixture
def dictionaries(tmp_path: Path) -> dict[str, Path]:
    source = write_dictionary(tmp_path, "SFX S Y 1\nSFX S 0 s .\n", "the\ncat/S\nsleep", name="en")
    return {"source_dictionary": source, "target_dictionary": write_dictionary(tmp_path, "", "las\ngatos", name="es")}


def test_words_that_no_dictionary_knows(dictionaries: dict[str, Path]) -> None:
    resources = Resources.of(**{name: SpellingDictionary.load(path) for name, path in dictionaries.items()})
    names = ["misspelt", "misspelt:share=yes", "misspelt:on=source", "misspelt:on=difference"]
    table = extract_features(
        SOURCES, OUTPUTS, FeatureRecipe(features=tuple(names), check_languages=False), resources=resources
    )
    np.testing.assert_allclose(
        table.values[:, 0], [2, 2, 0]
    )  # `Gatos` begins a sentence; numbers and marks are no words
    np.testing.assert_allclose(table.values[:, 1], [2 / 3, 2 / 5, 0])
    np.testing.assert_allclose(table.values[:, 2], [0, 0, 0])
    np.testing.assert_allclose(table.values[:, 3], [-2, -2, 0])


def test_dictionaries_are_kept_with_the_resources(dictionaries: dict[str, Path], tmp_path: Path) -> None:
    build_resources(Bitext.from_lines(SOURCES, OUTPUTS), tmp_path / "resources", ResourceRecipe(**dictionaries))
    for path in dictionaries.values():
        path.with_suffix(".dic").unlink()
    resources = load_resources(tmp_path / "resources")
    table = extract_features(
        SOURCES, OUTPUTS, FeatureRecipe(features=("misspelt",), check_languages=False), resources=resources
    )
    assert table.values[:, 0].tolist() == [2, 2, 0]
    folder = tmp_path / "resources" / "target-dictionary"
    (folder / "dictionary.dic").write_text("0\n")
    with pytest.raises(ModelError, match=r"dictionary\.dic is damaged or was edited"):
        load_resources(tmp_path / "resources")


def test_a_missing_dictionary_is_named_or_left_out(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"The features misspelt need target_dictionary\. .*--target-dictionary"):
        extract_features(SOURCES, OUTPUTS, FeatureRecipe(features=("misspelt",)))
    whole = {feature.name for feature in feature_set("wlv-shef12")}
    without = {feature.name for feature in feature_set("wlv-shef12", lacking=("target_dictionary",))}
    assert whole - without == {"misspelt"}
    with pytest.raises(DataError, match=r"A dictionary is two files, es\.aff and es\.dic; there is no"):
        build_resources(
            Bitext.from_lines(SOURCES, OUTPUTS),
            tmp_path / "resources",
            ResourceRecipe(target_dictionary=tmp_path / "es"),
        )
