"""Tuning a real engine, small as it is: the phrasebook's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman import _core
from dragoman.cli.main import group
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics import make_metric
from dragoman.samples import phrasebook
from dragoman.smt import Engine, EngineRecipe, Models, TextSide
from dragoman.smt.tune import TUNERS, Tuned, tune_engine
from dragoman.smt.tuning import Tuning
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary


def lines(lang: str) -> list[str]:
    return phrasebook()[lang]


@pytest.fixture(scope="module")
def engine() -> Engine:
    recipe = EngineRecipe(source_lang="de", target_lang="en")
    whitespace = _core.text.surface_tokeniser("none")
    vocabularies = Vocabulary(unk="<unk>"), Vocabulary(unk="<unk>")
    sides = [TextSide(lang, recipe.text).tokenise(lines(lang)[60:]) for lang in ("de", "en")]
    ids = [TokenIds(*v.core.encode(side, whitespace)) for v, side in zip(vocabularies, sides, strict=True)]
    phrases = recipe.phrases.extract(recipe.align.align(*ids), *vocabularies)
    for vocabulary in vocabularies:
        vocabulary.freeze()
    return Engine(recipe, Models(recipe.lm.train(sides[1]), phrases))


def dev(n: int) -> TestSet:
    return TestSet(srcs=lines("de")[:n], refs={"ref": lines("en")[:n]})


QUICK = Tuning(n_best=20, pop_limit=30)


@pytest.mark.parametrize(
    "method", ["mert:rounds=2,starts=2", "mira:rounds=3", "pro:rounds=2", "nelder-mead:evaluations=9"]
)
def test_an_engine_is_tuned(engine: Engine, method: str) -> None:
    runs = [tune_engine(engine, dev(40), replace(QUICK, method=method), n_threads=n_threads) for n_threads in (1, 2, 7)]
    best = runs[0].best
    assert best.value >= best.rounds[0].value
    assert set(best.dense) == set(engine.feature_names)
    assert best.weights["unknown"] == engine.weights["unknown"]
    assert all(run.best.weights == best.weights for run in runs)
    again = engine.with_weights(best.weights).decode(
        engine.source.prepare(lines("de")[:40]), limits=engine.recipe.search, n_best=1
    )
    assert len(again.best()) == 40


def test_held_out_segments_and_seeds(engine: Engine) -> None:
    ragged = replace(dev(50), refs={"A": lines("en")[:50], "B": [None, *lines("en")[1:50]]})
    tuning = replace(QUICK, method="pro:rounds=2", seeds=(3, 4), held_out=0.2)
    tunings = tune_engine(engine, ragged, tuning)
    assert [run.seed for run in tunings.runs] == [3, 4]
    assert tunings.best.held_out is not None
    assert tunings.best.held_out == max(float(run.held_out or 0) for run in tunings.runs)
    assert tunings.best.rounds[0].candidates <= 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"held_out": 1.0}, "at least 0 and at most 0.9. Got 1.0"),
        ({"held_out": 0.01}, "leaves none to tune on or none held out"),
        ({"seeds": ()}, "no seeds"),
        ({"method": "hope"}, "No tuner is called 'hope'"),
    ],
)
def test_wrong_calls_are_named(engine: Engine, change: dict[str, object], message: str) -> None:
    with pytest.raises((DataError, LookupError), match=message):
        tune_engine(engine, dev(3), Tuning(**change))  # type: ignore[arg-type]


def test_the_command_tunes_and_saves(engine: Engine, tmp_path: Path) -> None:
    engine.save(tmp_path / "engine")
    for lang in ("de", "en"):
        (tmp_path / f"dev.{lang}").write_text("\n".join(lines(lang)[:30]) + "\n", encoding="utf-8")
    call = [
        "smt",
        "tune",
        "-m",
        str(tmp_path / "engine"),
        "--dev-src",
        str(tmp_path / "dev.de"),
        "--dev-ref",
        str(tmp_path / "dev.en"),
        "--method",
        "mira:rounds=2",
        "--n-best",
        "10",
        "--pop-limit",
        "20",
        "-o",
        str(tmp_path / "tuned"),
        "--weights",
        str(tmp_path / "weights"),
    ]
    done = CliRunner().invoke(group, [*call, "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["kind"] == "tuned weights"
    tuned = Tuned.load(tmp_path / "weights")
    assert told["meta"]["weights"] == tuned.weights == Engine.load(tmp_path / "tuned").weights
    several = CliRunner().invoke(group, [*call, "--seeds", "2", "--form", "text"], catch_exceptions=False)
    assert "standard deviation" in several.stdout
    wrong = CliRunner().invoke(group, [*call, "--method", "mortar"])
    assert wrong.exit_code == 2
    assert "mert" in wrong.output


def test_weights_scaled_together_translate_alike(engine: Engine) -> None:
    tokens = engine.source.prepare(lines("de")[:20])
    vector = np.array(list(engine.weights.values()))
    assert engine.decode(tokens, weights=vector).best() == engine.decode(tokens, weights=0.25 * vector).best()


@pytest.mark.parametrize("method", TUNERS.names())
def test_every_tuner_takes_a_weighted_sum_of_metrics(engine: Engine, method: str) -> None:
    few = {"nelder-mead": "evaluations=4", "powell": "evaluations=4", "online-mira": "epochs=1"}
    spec = f"{method}:{few.get(method, 'rounds=1')}"
    metric = "bleu:tokeniser=none+-1*ter"
    tuned = tune_engine(engine, dev(8), Tuning(method=spec, metric=metric, n_best=10, pop_limit=20)).best
    assert tuned.label == "1·BLEU + -1·TER"
    better = engine.with_weights(tuned.weights)
    limits = replace(better.recipe.search, pop_limit=20)
    found = better.decode(better.source.prepare(lines("de")[:8]), limits=limits).best()
    value = make_metric(metric).corpus_value(found, [better.target.prepare(lines("en")[:8])])
    assert value == pytest.approx(tuned.value, abs=0.01)
