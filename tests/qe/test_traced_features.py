"""Features of traces: by hand, through resources, sets, held-out parts, the cache, and models."""

from __future__ import annotations

from math import exp
from pathlib import Path

import numpy as np
import pytest

from dragoman.data.traces import Forced, GraphSummary, Spread, Trace
from dragoman.errors import DataError
from dragoman.qe import QEData, Resources, extract_features, train_model
from dragoman.qe.features import feature_set
from dragoman.qe.features.traced import add_quartiles
from dragoman.qe.recipes import FeatureRecipe, QERecipe, ResourceRecipe
from dragoman.qe.resources import TraceIndex, build_resources, load_resources
from dragoman.qe.words import WordRecipe, extract_words

# Probabilities .5, .3, .2 of the example that de Souza et al. (2014) can be checked with.
LIST = Trace(
    "x y",
    ("a b c", "a c", "b c a"),
    tuple(np.log([0.5, 0.3, 0.2]).tolist()),
    (
        {
            "lm": (-6.0,),
            "table": (-1.0, -2.0, -3.0, -4.0),
            "distortion": (-2.0,),
            "word-penalty": (-3.0,),
            "phrase-penalty": (-2.0,),
        },
    ),
    ((1, 2, 0, 2), (0, 1, 2, 3)),
    graph=GraphSummary(
        10, 4, 12, 6, 9, {"lm": Spread(-2.0, 4.0, -5.0, -1.0), "table.3": Spread(-1.0, 0.25, -2.0, 0.0)}
    ),
)
INDEX = TraceIndex([LIST, Trace("nothing")])


def value(spec: str, source: str = "x y", output: str = "A b c") -> float:
    return float(extract_features([source], [output], FeatureRecipe(features=(spec,)), trace=INDEX).values[0, 0])


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("nbest-confidence", (0.8 + 0.7 + 1.0) / 3),
        ("nbest-confidence:value=geometric", 0.8243),
        ("nbest-confidence:value=worst", 0.7),
        ("nbest-confidence:case=yes", (0.7 + 1.0) / 3),
        ("nbest-confidence:criterion=position", 0.6),
        ("nbest-confidence:criterion=any", 0.9),
        ("nbest-confidence:weights=rank", (5 / 6 + 4 / 6 + 1) / 3),
        ("nbest-confidence:weights=uniform", (2 / 3 + 2 / 3 + 1) / 3),
        ("nbest-confidence:scale=0", (2 / 3 + 2 / 3 + 1) / 3),
        ("nbest-confidence:length=2", (0.5 + 0.7) / 2),
        ("nbest-confidence:length=4", 0.0),
        ("nbest-network", (0.5004 + 0.6109) / 3),
        ("nbest-network:value=alternatives", (2 + 2 + 1) / 3),
        ("nbest-list", 3),
        ("nbest-list:value=length", 8 / 3),
        ("nbest-list:value=vocabulary", 9 / 8),
        ("nbest-list:value=vocabulary-by-source", 1.5),
        ("nbest-list:value=entropy", 1.02965),
        ("nbest-list:value=top", 0.5),
        ("nbest-list:value=gap", np.log(5 / 3)),
        ("nbest-list:value=range", np.log(2.5)),
        ("nbest-diversity", 0.5),
        ("nbest-diversity:value=near", 2),
        ("nbest-diversity:edits=1,value=near", 1),
        ("nbest-diversity:unit=character,value=top-to-central", 0),
        ("nbest-lm:order=1,value=sum", np.log10([3.8 / 15, 2.8 / 15, 3.8 / 15, 3.8 / 15]).sum()),
        ("nbest-distance", 0),
        ("nbest-distance:value=inside", 1),
        ("nbest-distance:case=yes", 1 / 3),
        ("decoder-score", np.log(0.5)),
        ("decoder-score:per=source", np.log(0.5) / 2),
        ("decoder-score:per=target,score=lm", -2),
        ("decoder-score:score=target-given-source", -3),
        ("decoder-score:named=table,place=2", -2),
        ("decoder-phrases", 2),
        ("decoder-phrases:value=target-length", 1.5),
        ("decoder-phrases:value=density", 1),
        ("decoder-phrases:value=ratio", 2 / 3),
        ("decoder-phrases:value=longest", 1),
        ("decoder-phrases:value=jumps", 1),
        ("search-graph", 0.4),
        ("search-graph:value=options-per-word", 3),
        ("search-graph:value=option-length", 1.5),
        ("search-spread:score=lm,value=deviation", 2),
        ("search-spread:score=target-given-source", -1),
        ("search-spread:raised=yes,score=lm,value=most", exp(-1)),
        ("search-spread:named=lm,value=variance", 4),
        ("search-spread:score=future", 0),
    ],
)
def test_by_hand(spec: str, expected: float) -> None:
    assert value(spec) == pytest.approx(expected, abs=1e-4)


def test_an_output_that_no_engine_thought_of_is_far() -> None:
    assert value("nbest-confidence", output="z z") == 0
    assert value("nbest-distance", output="a c c") == pytest.approx(1 / 3)
    assert value("nbest-distance:value=inside", output="a c c") == 0
    assert value("nbest-lm", output="z z") < value("nbest-lm")


def test_where_the_engine_found_nothing_features_are_defined() -> None:
    for feature in feature_set("glass-box"):
        if "quartiles" not in feature.needed():
            assert np.isfinite(value(feature.spec(), source="nothing"))
            assert np.isfinite(value(feature.spec(), output=""))
    assert value("nbest-confidence", source="nothing") == 0
    assert value("nbest-distance", source="nothing") == 1


def test_a_missing_trace_or_score_is_named() -> None:
    with pytest.raises(DataError, match=r"There is no trace of sentence 1, 'unknown'\. Translate the same lines"):
        value("nbest-list", source="unknown")
    with pytest.raises(DataError, match=r"has no score 'bleu'\. It has: lm, table, distortion"):
        value("decoder-score:named=bleu")


def test_of_several_traces_the_engine_s_own_is_taken() -> None:
    mine, other = Trace("s", ("a",), (0.0,)), Trace("s", ("b",), (-9.0,))
    found = extract_features(
        ["s", "s", "s"], ["b", "a", "c"], FeatureRecipe(features=("decoder-score",)), trace=TraceIndex([mine, other])
    )
    assert found.values[:, 0].tolist() == [-9.0, 0.0, 0.0]


def test_what_the_engine_was_forced_to_say() -> None:
    traces = TraceIndex(
        [
            Trace("s", ("a b",), (-3.0,), forced=Forced("a c d", -6.0, 1)),
            Trace("s", ("a b",), (-3.0,), forced=Forced("a b", -3.0, 0)),
            Trace("t", ("a b",), (-3.0,)),
        ]
    )
    names = [f"forced-decoding:value={value}" for value in ("reached", "score", "gap")]
    found = extract_features(
        ["s", "s", "t"],
        ["a b", "a c d", "x"],
        FeatureRecipe(features=("forced-decoding", *names)),
        trace=traces,
    ).values
    assert found[0].tolist() == pytest.approx([0, 1, -1.5, 0])
    assert found[1].tolist() == pytest.approx([1 / 3, 0, -2, -0.5])
    assert found[2].tolist() == pytest.approx([1, 0, 0, 0])


def test_sets_of_papers_do_without_a_trace_but_a_glass_box_does_not() -> None:
    assert "decoder-score:score=lm" in {feature.spec() for feature in feature_set("sdllw12")}
    lean = {feature.spec() for feature in feature_set("sdllw12", lacking=("trace",))}
    assert lean
    assert not any("decoder" in spec for spec in lean)
    with pytest.raises(DataError, match="need quartiles, trace"):
        extract_features(["a"], ["b"], FeatureRecipe(features=("glass-box",)))
    assert not [feature for feature in feature_set("black-box") if "trace" in feature.needed()]


def data() -> tuple[QEData, TraceIndex]:
    words = list("abcdefg")
    sources = tuple(f"{words[n % 7]} {words[n % 5]} s{n}" for n in range(40))
    outputs = tuple(f"{words[n % 7]} {words[n % 3]} t" for n in range(40))
    edits = tuple(output if n % 2 else f"{output} t u" for n, output in enumerate(outputs))
    lists = (
        Trace(source, (edit, "a b"), (-1.0, -2.0), phrases=((0, 3, 0, 3),))
        for source, edit in zip(sources, edits, strict=True)
    )
    return QEData.of(sources, outputs, edits), TraceIndex(lists)


def test_quartiles_are_learnt_once_and_shares_sum_to_one(tmp_path: Path) -> None:
    post_edited, trace = data()
    build_resources(None, tmp_path / "r", ResourceRecipe(n_parts=2), post_edited=post_edited)
    add_quartiles(tmp_path / "r", post_edited.sources or (), post_edited.outputs or (), trace)
    resources = load_resources(tmp_path / "r")
    specs = [f"nbest-quartile:criterion=any,quartile={q}" for q in (1, 2, 3, 4)]
    found = extract_features(
        post_edited.sources or (),
        post_edited.outputs or (),
        FeatureRecipe(features=tuple(specs)),
        resources=resources,
        trace=trace,
    )
    assert found.values.sum(axis=1).tolist() == pytest.approx([1.0] * 40)
    assert (found.values > 0).any(axis=0).sum() > 1
    with pytest.raises(DataError, match="no outputs whose agreement"):
        add_quartiles(tmp_path / "r", (), (), trace)


def test_a_model_is_trained_and_asked_with_traces(tmp_path: Path) -> None:
    post_edited, trace = data()
    model = train_model(
        post_edited,
        QERecipe(
            features=("surface", "nbest-distance", "nbest-confidence"),
            learner="ridge",
        ),
        trace=trace,
    )
    model.save(tmp_path / "model")
    loaded = type(model).load(tmp_path / "model")
    asked = loaded.features(post_edited.sources or (), post_edited.outputs or (), trace=trace)
    assert loaded.predict(asked).scores[0] > loaded.predict(asked).scores[1]
    with pytest.raises(DataError, match="need trace"):
        loaded.predict(post_edited.sources or (), post_edited.outputs or ())


def test_the_cache_knows_traces_apart(tmp_path: Path) -> None:
    def ask(trace: TraceIndex) -> float:
        return float(
            extract_features(
                ["s"], ["a"], FeatureRecipe(features=("decoder-score",)), trace=trace, cache=tmp_path
            ).values[0, 0]
        )

    assert ask(TraceIndex([Trace("s", ("a",), (-1.0,))])) == -1
    assert ask(TraceIndex([Trace("s", ("a",), (-2.0,))])) == -2
    assert ask(TraceIndex([Trace("s", ("a",), (-1.0,))])) == -1
    assert len(list(tmp_path.iterdir())) == 2


def test_words_have_posteriors_and_alternatives() -> None:
    specs = ["posterior", "posterior:criterion=any", "posterior:at=1", "posterior:length=2", "list-words:value=most"]
    found = extract_words(["x y", "nothing"], ["a b c", "a"], specs, Resources.of(trace=INDEX)).values
    assert np.asarray(found["posterior"]).tolist() == pytest.approx([0.8, 0.7, 1.0, 0.0])
    assert np.asarray(found["posterior:criterion=any"]).tolist() == pytest.approx([1.0, 0.7, 1.0, 0.0])
    assert np.asarray(found["posterior:at=1"])[:2].tolist() == pytest.approx([0.7, 1.0])
    assert np.isnan(np.asarray(found["posterior:length=2"])[2])
    assert np.asarray(found["list-words:value=most"]).tolist() == pytest.approx([0.8, 0.7, 1.0, 0.0])


def test_a_word_model_with_traces_refuses_to_do_without(tmp_path: Path) -> None:
    post_edited, trace = data()
    sources, outputs = post_edited.sources or (), post_edited.outputs or ()
    labels = [["OK", "OK", "OK" if n % 2 else "BAD"] for n in range(40)]
    recipe = WordRecipe(features=("posterior", "posterior:criterion=position", "word"), n_folds=2, epochs=2)
    model = recipe.train(sources, outputs, labels, Resources.of(trace=trace))
    model.save(tmp_path / "words")
    loaded = type(model).load(tmp_path / "words")
    assert loaded.predict(sources, outputs, Resources.of(trace=trace)).labels
    with pytest.raises(DataError, match="trained on other features: missing posterior"):
        loaded.predict(sources, outputs, Resources())
    assert Resources().having(trace=trace).get("trace") is trace
