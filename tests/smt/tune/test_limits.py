"""Limits and weights searched together."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.samples import phrasebook
from dragoman.smt import Engine, SearchLimits
from dragoman.smt.tune import JointSearch, Objective, Parameter, Racing, search_engine

BOOK = phrasebook()
SRCS, REFS = BOOK["en"][540:580], [BOOK["de"][540:580]]
DEV = TestSet(srcs=SRCS, refs={"ref": REFS[0]})


def value_at(engine: Engine, limits: SearchLimits) -> float:
    objective = Objective("bleu:tokeniser=none", [engine.target.prepare(REFS[0])])
    texts = engine.decode(engine.source.prepare(SRCS), limits=limits).best()
    return objective.gain(objective.rows(np.arange(len(texts)), texts).sum(axis=0))


def test_a_limit_searched_from_a_poor_start_is_as_good_as_the_best_of_a_grid(engine: Engine) -> None:
    grid = [value_at(engine, SearchLimits(distortion_limit=limit)) for limit in range(11)]
    found = search_engine(
        engine,
        DEV,
        [Parameter("distortion_limit", 1, low=0, high=10, integer=True, step=3)],
        JointSearch(evaluations=9),
        racing=Racing(batch=10, samples=199),
    )
    assert found.value >= max(grid) - 0.1
    assert found.race.tables()[0].note.endswith("without racing.")
    assert sum(each.segments for each in found.race.evaluations) < 11 * len(SRCS)
    assert value_at(engine, found.limits) == pytest.approx(found.value)


def test_weights_limits_and_estimates_are_searched_together(engine: Engine) -> None:
    parameters = [
        Parameter("lm", engine.weights["lm"]),
        Parameter("distortion_limit", 6, low=0, high=10, integer=True),
        Parameter("distortion_exponent", 1.0, low=0.5, high=2.0),
        Parameter("future.lm", 1.0, low=0.0, high=2.0),
    ]
    runs = [
        search_engine(engine, DEV, parameters, JointSearch(evaluations=12), racing=Racing(samples=99), n_threads=n)
        for n in (1, 7)
    ]
    assert runs[0].parameters == runs[1].parameters
    assert runs[0].value >= value_at(engine, SearchLimits())
    assert runs[0].limits.future == (f"lm={runs[0].parameters['future.lm']!r}",)
    assert runs[0].weights["lm"] == runs[0].parameters["lm"]
    assert [row["parameter"] for row in runs[0].tables()[0].records()] == [each.name for each in parameters]


def test_a_budget_of_effort_is_kept(engine: Engine) -> None:
    pops = [Parameter("pop_limit", 400, low=5, high=800, integer=True, step=-250)]
    whole = engine.decode(engine.source.prepare(SRCS), limits=SearchLimits(pop_limit=60)).effort
    budget = sum(whole.values()) / len(SRCS)
    search = JointSearch(evaluations=14, budget=budget)
    found = search_engine(engine, DEV, pops, search, racing=Racing(race=False))
    effort = engine.decode(engine.source.prepare(SRCS), limits=found.limits).effort
    assert sum(effort.values()) / len(SRCS) <= 1.1 * budget


def test_a_parameter_that_is_none_is_named(engine: Engine) -> None:
    with pytest.raises(
        DataError, match=r"'magic' is no feature of the engine and no limit\. Limits: distortion_exponent"
    ):
        search_engine(engine, DEV, [Parameter("magic", 1.0)])
