"""Every quality feature of the registry keeps the contract of quality features."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.data import Bitext
from dragoman.data.traces import GraphSummary, Spread, Trace
from dragoman.files import write_lines
from dragoman.qe import FEATURES, QEData, Resources, extract_features
from dragoman.qe.features import FEATURE_SETS, feature_set
from dragoman.qe.features.base import BASELINE17, make_feature
from dragoman.qe.features.traced import add_quartiles
from dragoman.qe.recipes import FeatureRecipe, ResourceRecipe
from dragoman.qe.resources import TraceIndex, build_resources, load_resources
from dragoman.syntax import Name, NamedSentence, NameRecipe
from dragoman.testing.features import FEATURE, LINES, FeatureCase
from tests.qe.parsed import tiny_grammar, tiny_parser
from tests.text.hunspell_files import write_dictionary

each_name = pytest.mark.parametrize("name", FEATURES.names())


@pytest.fixture(scope="module")
def resources(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    folder = tmp_path_factory.mktemp("resources")
    # The post-edited sources are none of LINES: held-out resources have tests of their own.
    edited = QEData.of(
        tuple(f"a dog {n}" for n in range(4)), tuple(f"the cat {n}" for n in range(4)), ("the cat 0", "x", "cat", "y")
    )
    models = tmp_path_factory.mktemp("models")
    parser, grammar = tiny_parser(models / "parser"), tiny_grammar(models / "grammar")
    dictionary = write_dictionary(models, "", "the\ncat\nend")
    names = NameRecipe(epochs=2).train([NamedSentence(("the", "Cat"), (Name(1, 2, "PER"),))]).save(models / "names")
    wide = models / "wide.txt"
    write_lines(wide, ["The cat sat on a mat .", "the dog , it barks", "the end"])
    build_resources(
        Bitext.from_lines([*LINES[:4], LINES[0]], [*LINES[:4][::-1], LINES[0]]),
        folder,
        ResourceRecipe(
            n_parts=2,
            languages="en-es",
            source_parser=parser,
            target_parser=parser,
            source_grammar=grammar,
            target_grammar=grammar,
            also=("all",),
            source_wide=tuple([wide] * 4),
            target_wide=tuple([wide] * 4),
            source_dictionary=dictionary,
            target_dictionary=dictionary,
            source_names=names,
            target_names=names,
        ),
        post_edited=edited,
    )
    trace = TraceIndex(map(traced, LINES))
    add_quartiles(folder, LINES, LINES[::-1], trace)
    return load_resources(folder).having(trace=trace)


def traced(source: str) -> Trace:
    """What an invented engine did with a line; of an empty one nothing is known."""
    if not source:
        return Trace(source)
    lm = {"lm": (-2.5,), "table": (-1.0, -2.0, -3.0, -4.0), "distortion": (0.0,)}
    return Trace(
        source,
        ("the cat sat", "the dog !", "the cat sat"),
        (-1.0, -1.5, -3.0),
        ({**lm, "word-penalty": (-3.0,), "phrase-penalty": (-2.0,)},),
        ((0, 1, 0, 2), (2, 3, 2, 3)),
        graph=GraphSummary(
            8, 3, 9, 12, 20, {"lm": Spread(-1.0, 0.5, -4.0, -0.5), "score": Spread(0.0, 1.0, -1.0, 1.0)}
        ),
    )


@each_name
@pytest.mark.parametrize("compat", ["", "wmt12"])
def test_it_keeps_the_contract(name: str, compat: str, resources: Resources) -> None:
    FEATURE.check(FeatureCase(name, resources, compat), name)


@each_name
def test_its_specification_with_the_quirks_makes_it_again(name: str) -> None:
    feature = make_feature(f"{name}:compat=wmt12")
    assert make_feature(feature.spec()) == feature


def test_the_baseline_names_registered_features() -> None:
    assert [make_feature(spec).spec() for spec in BASELINE17] == list(BASELINE17)


@pytest.mark.parametrize("name", sorted(FEATURE_SETS))
def test_a_set_names_registered_features_and_gives_finite_numbers(name: str, resources: Resources) -> None:
    made = feature_set(name)
    assert len({feature.spec() for feature in made}) == len(made)
    assert [make_feature(feature.spec()) for feature in made] == list(made)
    found = extract_features(LINES, LINES[::-1], FeatureRecipe(features=(name,)), resources=resources)
    assert np.isfinite(found.values).all()
    again = extract_features(LINES, LINES[::-1], FeatureRecipe(features=(name,)), resources=resources, n_threads=2)
    assert (again.values == found.values).all()
    assert extract_features([], [], FeatureRecipe(features=(name,)), resources=resources).values.shape == (0, len(made))
