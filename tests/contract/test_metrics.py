"""Every metric of the registry keeps the contract of metrics."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from dragoman.data.testset import TestSet
from dragoman.errors import DataError, UnknownName
from dragoman.metrics import METRICS, ComparisonRecipe, Metric, compare, gate, make_metric, matrix, meta_evaluate, score
from dragoman.metrics.gate import GateRecipe
from dragoman.metrics.noref import NorefRecipe
from dragoman.metrics.specs import make_metrics
from dragoman.options import options_of
from dragoman.syntax import ParserRecipe
from dragoman.testing.metrics import COMPLETE, HYPS, METRIC, REFS, SRCS, take_a_long_line
from tests.metrics.pivot_tables import saved_resources
from tests.syntax.toy import toy_treebank
from tests.text.wordnet_files import write_wordnet


def toy_parser() -> str:
    """A parser of a few words, trained at once; its folder is gone when the tests are."""
    ParserRecipe(epochs=2, tag_epochs=2, folds=2).train(toy_treebank(20)).save(f"{FOLDER}/parser")
    return f"parser+model={FOLDER}/parser"


FOLDER = Path(tempfile.mkdtemp(prefix="dragoman-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
BITEXT = [f"{a} {b} ." for a in ("Katze", "Matte", "Äpfel") for b in ("gut", "rot", "neu", "alt")]
NOREF = NorefRecipe(n_classes=2).train(BITEXT, COMPLETE * 2 + HYPS[:2]).save(FOLDER / "noref")
# Metrics that are nothing without something: with a small one of it.
RESOURCES = saved_resources(FOLDER) | {"noref": f"noref:{NOREF}", "pem": f"pem:pivots={FOLDER}/pivots"}
RESOURCES |= {name: f"{name}:spelling" for name in ("bertscore", "bertscore-idf", "cosine")}
LAYERS = {"stem": "snowball+lang=en", "frames": toy_parser()}  # what can be made without anything installed
ASKING = [
    f"{name}:{option}={layer}"
    for name in METRICS.names()
    if name not in RESOURCES
    for option, declared in options_of(METRICS.get(name)).items()
    for layer in declared.layers
]  # every metric that can ask for a layer, asking for it
# They ask a service or a package: tests/engines/test_gemba.py, tests/metrics/test_comet.py.
ELSEWHERE = {"comet", "gemba-da", "gemba-mqm"}
OWN = [name for name in METRICS.names() if name not in ELSEWHERE]
SPECS = list(dict.fromkeys([*OWN, *(spec for spec in ASKING if spec.rpartition("=")[2] in LAYERS)]))
MADE = make_metrics([RESOURCES.get(spec, spec) for spec in SPECS], LAYERS)
each_metric = pytest.mark.parametrize("metric", MADE, ids=SPECS)


@pytest.fixture(autouse=True, scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The WordNet that some look for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WNSEARCHDIR", str(write_wordnet(tmp_path_factory.mktemp("wordnet"))))
        yield


@each_metric
def test_it_keeps_the_contract(metric: Metric) -> None:
    METRIC.check(metric, metric.spec())


@each_metric
def test_a_line_of_a_megabyte_has_a_score_or_a_named_error(metric: Metric) -> None:
    take_a_long_line(metric, 20_000 if metric.name == "cer" else 170_000)


@each_metric
def test_comparisons_gates_and_meta_evaluation_take_it_like_any_other(metric: Metric) -> None:
    systems = {"same": COMPLETE, "other": HYPS, "turned": COMPLETE[1:] + COMPLETE[:1]}
    test_set = TestSet(systems=systems, refs={"A": COMPLETE}, srcs=SRCS)
    by_segment = score(systems, [COMPLETE], SRCS, metrics=[metric], level="segment").values[:, 0]
    people = {name: 100.0 - 10 * number for number, name in enumerate(systems)}
    own = {name: float(values.mean()) for name, values in zip(systems, by_segment, strict=True)}
    assert meta_evaluate({metric.spec(): own}, people).tables()
    if not metric.additive:
        with pytest.raises(DataError, match="it is not additive"):
            compare(test_set, ComparisonRecipe(metrics=(metric,), trials=20))
        return
    comparison = compare(test_set, ComparisonRecipe(metrics=(metric,), trials=20))
    assert [each.system for each in comparison.scores] == list(systems)
    assert metric.spec() in comparison.html()
    two = TestSet(systems={name: systems[name] for name in ("same", "other")}, refs={"A": COMPLETE}, srcs=SRCS)
    [checked] = gate(two, GateRecipe(metrics=(metric,), trials=20)).checks
    assert np.isfinite(checked.gain)


@pytest.mark.parametrize("spec", ASKING)
def test_a_layer_that_nobody_makes_is_named_before_work(spec: str) -> None:
    with pytest.raises(DataError, match=rf"asks for the layer {spec.rpartition('=')[2]}, which nobody makes: --layer"):
        score({"a": HYPS}, REFS, SRCS, metrics=[spec])


def test_unknown_metrics_come_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match=r"No metric is called 'chrff'. Did you mean 'chrf'"):
        make_metric("chrff")
    with pytest.raises(DataError, match=r"The metric 'chrf' has no option 'beter'. Known: char_order"):
        make_metric("chrf:beter=2")
    with pytest.raises(DataError, match="The metric 'chrf': 'beta' is no option"):
        make_metric("chrf:beta")


def test_a_matrix_of_nothing_is_refused() -> None:
    with pytest.raises(DataError, match="A matrix needs hypotheses and references, got 0 and 1"):
        matrix([], ["a"], "chrf")
    with pytest.raises(DataError, match="n_threads must be at least 1, got 0"):
        matrix(["a"], ["a"], "chrf", n_threads=0)
