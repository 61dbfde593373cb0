"""What every quality feature must do, over everything registered."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.data.traces import GraphSummary, Spread, Trace
from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.qe import FEATURES, QEData, Resources, extract_features
from dragoman.qe.features import FEATURE_SETS, feature_set
from dragoman.qe.features.base import BASELINE17, make_feature
from dragoman.qe.features.traced import add_quartiles
from dragoman.qe.resources import RESOURCES, TraceIndex, build_resources, load_resources
from dragoman.syntax import Name, NamedSentence, NameRecipe
from tests.qe.parsed import tiny_grammar, tiny_parser
from tests.text.hunspell_files import write_dictionary

NAMES = FEATURES.names()
each_name = pytest.mark.parametrize("name", NAMES)
each_manner = pytest.mark.parametrize("compat", ["", "wmt12"])
LINES = [
    "the cat sat on the mat .",
    "",
    "a well-known cat !",
    "the dog , the cat ; the end",
    "…",
    "x" * 5000,
    "a\x00b c",
]


@pytest.fixture(scope="module")
def resources(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    folder = tmp_path_factory.mktemp("resources")
    # The post-edited sources are none of LINES: held-out resources have tests of their own.
    edited = QEData(
        tuple(f"a dog {n}" for n in range(4)), tuple(f"the cat {n}" for n in range(4)), ("the cat 0", "x", "cat", "y")
    )
    models = tmp_path_factory.mktemp("models")
    parser, grammar = tiny_parser(models / "parser"), tiny_grammar(models / "grammar")
    dictionary = write_dictionary(models, "", "the\ncat\nend")
    names = NameRecipe(epochs=2).train([NamedSentence(("the", "Cat"), (Name(1, 2, "PER"),))]).save(models / "names")
    wide = models / "wide.txt"
    write_lines(wide, ["The cat sat on a mat .", "the dog , it barks", "the end"])
    build_resources(
        [*LINES[:4], LINES[0]], [*LINES[:4][::-1], LINES[0]], folder, post_edited=edited, n_parts=2, languages="en-es",
        source_parser=parser, target_parser=parser, source_grammar=grammar, target_grammar=grammar, also=["all"],
        source_wide=[wide] * 4, target_wide=[wide] * 4, source_dictionary=dictionary, target_dictionary=dictionary,
        source_names=names, target_names=names,
    )  # fmt: skip
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
def test_it_says_what_it_is(name: str) -> None:
    feature = FEATURES.get(name)
    assert feature.name == name
    assert feature.paper
    assert feature.level in {"word", "sentence", "document"}
    assert feature.side in {"source", "target", "both"}
    assert set(feature.needs) <= RESOURCES.keys()


@each_name
@each_manner
def test_its_specification_makes_it_again(name: str, compat: str) -> None:
    feature = make_feature(f"{name}:compat={compat}" if compat else name)
    assert make_feature(feature.spec()) == feature


@each_name
@each_manner
def test_every_sentence_has_a_finite_value_of_its_own(name: str, compat: str, resources: Resources) -> None:
    outputs = LINES[::-1]
    found = extract_features(LINES, outputs, features=[name], compat=compat, resources=resources).values[:, 0]
    assert found.shape == (len(LINES),)
    assert np.isfinite(found).all()
    alone = [
        extract_features([s], [t], features=[name], compat=compat, resources=resources).values[0, 0]
        for s, t in zip(LINES, outputs, strict=True)
    ]
    assert found.tolist() == pytest.approx(alone)
    for n_threads in (2, 7):
        again = extract_features(
            LINES, outputs, features=[name], compat=compat, resources=resources, n_threads=n_threads
        )
        assert (again.values[:, 0] == found).all()
    assert extract_features([], [], features=[name], compat=compat, resources=resources).values.shape == (0, 1)


@each_name
@each_manner
def test_lone_surrogates_are_refused(name: str, compat: str, resources: Resources) -> None:
    with pytest.raises(DataError, match="surrogate"):
        extract_features(["\ud800"], ["\ud800"], features=[name], compat=compat, resources=resources)


@each_name
def test_a_missing_resource_is_named(name: str) -> None:
    needs = FEATURES.get(name).needs
    if not needs:
        assert extract_features(["a"], ["b"], features=[name]).values.shape == (1, 1)
        return
    with pytest.raises(DataError, match=f"The features {name} need {', '.join(sorted(needs))}"):
        extract_features(["a"], ["b"], features=[name])


def test_the_baseline_names_registered_features() -> None:
    assert [make_feature(spec).spec() for spec in BASELINE17] == list(BASELINE17)


@pytest.mark.parametrize("name", sorted(FEATURE_SETS))
def test_a_set_names_registered_features_and_gives_finite_numbers(name: str, resources: Resources) -> None:
    made = feature_set(name)
    assert len({feature.spec() for feature in made}) == len(made)
    assert [make_feature(feature.spec()) for feature in made] == list(made)
    found = extract_features(LINES, LINES[::-1], features=[name], resources=resources)
    assert np.isfinite(found.values).all()
    again = extract_features(LINES, LINES[::-1], features=[name], resources=resources, n_threads=2)
    assert (again.values == found.values).all()
    assert extract_features([], [], features=[name], resources=resources).values.shape == (0, len(made))
