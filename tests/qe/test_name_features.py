"""Features of names, on sentences whose names are plain to see."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.data import Bitext
from dragoman.errors import DataError
from dragoman.qe.features import extract_features
from dragoman.qe.features.base import feature_set
from dragoman.qe.features.names import kind_of
from dragoman.qe.recipes import FeatureRecipe, ResourceRecipe
from dragoman.qe.resources import Resources, build_resources, load_resources
from dragoman.qe.resources.dictionaries import SpellingDictionary
from dragoman.syntax import Name, NamedSentence, NameRecipe, NameTagger
from tests.text.hunspell_files import write_dictionary

SOURCES = ["Anna sees Graz", "the dog sleeps", "Anna Anna", ""]
OUTPUTS = ["ANNA ve a Gratz", "el Perro duerme", "ana", "Graz"]


@pytest.fixture(scope="module")
def tagger() -> NameTagger:
    kinds = {"Anna": "PER", "ana": "PER", "Graz": "GPE", "Gratz": "GPE", "Perro": "EVT"}
    words = [*kinds, "sees", "the", "dog", "sleeps", "ve", "a", "el", "duerme", "ANNA"]
    sentences = [
        NamedSentence((word, other), tuple(Name(i, i + 1, kinds[w]) for i, w in enumerate((word, other)) if w in kinds))
        for word in words
        for other in words
    ]
    return NameRecipe(learner="perceptron").train(sentences)


def columns(names: list[str], resources: Resources) -> np.ndarray:
    return extract_features(
        SOURCES, OUTPUTS, FeatureRecipe(features=tuple(names), check_languages=False), resources=resources
    ).values


def test_names_of_a_kind(tagger: NameTagger) -> None:
    resources = Resources.of(source_names=tagger, target_names=tagger)
    specs = [
        "names",
        "names:kind=person",
        "names:kind=location,on=target",
        "names:on=difference",
        "names:value=any",
        "names:kind=other,on=target",
        "names:kind=organisation",
    ]
    expected = [[2, 1, 1, 1, 1, 0, 0], [0, 0, 0, -1, 0, 1, 0], [2, 2, 0, 1, 1, 0, 0], [0, 0, 1, -1, 0, 0, 0]]
    np.testing.assert_array_equal(columns(specs, resources), expected)
    assert [kind_of(Name(0, 1, kind)) for kind in ("per", "GPE", "Organization", "MISC")] == [
        "person",
        "location",
        "organisation",
        "other",
    ]


def test_names_kept(tagger: NameTagger, tmp_path: Path) -> None:
    tagger.save(tmp_path / "tagger")
    bitext = Bitext.from_lines(["Anna", "Graz", "sees", "dog"] * 5, ["ana", "Gratz", "ve", "Perro"] * 5)
    recipe = ResourceRecipe(source_names=tmp_path / "tagger", target_names=tmp_path / "tagger")
    build_resources(bitext, tmp_path / "resources", recipe)
    resources = load_resources(tmp_path / "resources")
    specs = ["names-kept", "names-kept:on=target", "names-kept:by=links"]
    # Anna is copied in other letters; Graz is linked to a name; `ana` and the last Graz are nowhere in the source.
    np.testing.assert_allclose(columns(specs, resources), [[0.5, 0, 1], [1, 0, 1], [0, 0, 1], [1, 0, 1]])


def test_words_of_names_are_not_misspelt(tagger: NameTagger, tmp_path: Path) -> None:
    dictionary = SpellingDictionary.load(write_dictionary(tmp_path, "", "ve\na\nel"))
    resources = Resources.of(target_names=tagger, target_dictionary=dictionary)
    found = columns(["misspelt", "misspelt:names=out"], resources)
    np.testing.assert_array_equal(found, [[2, 1], [2, 1], [1, 0], [1, 0]])


def test_sets_without_taggers() -> None:
    with pytest.raises(DataError, match=r"The features names need source_names\. .*--source-names"):
        extract_features(SOURCES, OUTPUTS, FeatureRecipe(features=("names",)))
    lacking = ("source_names", "target_names")
    without = {feature.spec() for feature in feature_set("uedin12", lacking=lacking)}
    named = {feature.spec() for feature in feature_set("uedin12")} - without
    assert named == {f"names:kind={kind},value=any" for kind in ("person", "location", "organisation")}
    assert not any("name" in feature.spec() for feature in feature_set("wlv-shef12", lacking=lacking))
