from __future__ import annotations

import math
import sys
from collections.abc import Mapping

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.smt.tune import CommandDecoder, Objective, Output, Parameter, Racing, RacingEvaluator, search_parameters
from dragoman.smt.tune.racing import extrapolated, time_penalty

N = 400


def objective(metric: str = "bleu:tokeniser=none") -> Objective:
    return Objective(metric, [[" ".join(f"w{i}x{k}" for k in range(10)) for i in range(N)]])


def damaged(segments: np.ndarray, rate: float, seed: int) -> list[str]:
    """References in which each word is wrong with some probability, the same for the same segment and seed."""
    lines = []
    for i in segments.tolist():
        draws = np.random.default_rng((seed, i)).uniform(size=10)
        lines.append(" ".join("no" if draw < rate else f"w{i}x{k}" for k, draw in enumerate(draws)))
    return lines


def run(parameters: Mapping[str, float], segments: np.ndarray) -> list[str]:
    """Errors grow with the distance from (2, 5)."""
    away = 0.04 * abs(parameters["x"] - 2.0) + 0.02 * abs(parameters["limit"] - 5)
    return damaged(segments, min(0.9, 0.15 + away), seed=1)


PARAMETERS = (Parameter("x", 0.0, -10, 10, step=1.0), Parameter("limit", 10, 0, 20, integer=True))


def test_extrapolation_and_time_penalty_are_the_paper_s() -> None:
    wer = objective("wer:tokeniser=none")
    assert -extrapolated(-20.0, 11.0, 10.0, wer) == pytest.approx(22.0)
    bleu = objective()
    assert extrapolated(80.0, 11.0, 10.0, bleu) == pytest.approx(78.0)
    assert extrapolated(80.0, 3.0, 0.0, bleu) == pytest.approx(77.0)
    assert time_penalty(1.5, 1.0) == pytest.approx(0.60653, abs=5e-6)
    assert time_penalty(1.0, 1.0) == 1.0


def test_a_planted_worse_decoder_is_given_up_before_30_per_cent() -> None:
    evaluate = RacingEvaluator(lambda p, s: damaged(s, p["rate"], seed=2), objective(), seed=3)
    evaluate({"rate": 0.15})
    evaluate({"rate": 0.25})
    worse = evaluate.history[1]
    assert worse.verdict == "discarded"
    assert worse.segments <= 0.3 * N
    assert worse.value == pytest.approx(
        evaluate.objective.metric.corpus_value(damaged(np.arange(N), 0.25, 2), evaluate.objective.refs), abs=5
    )


def test_an_equal_decoder_is_given_up_about_as_often_as_alpha_says() -> None:
    """One look at 50 segments: 5 % and chance. More looks give up more; the number of looks is in the result."""
    given_up = 0
    racing = Racing(samples=199, near=0.0, batch=50)
    refs = [[" ".join(f"w{i}x{k}" for k in range(10)) for i in range(100)]]
    for trial in range(120):
        evaluate = RacingEvaluator(
            lambda p, s, trial=trial: damaged(s, 0.2, seed=int(1000 * trial + p["seed"])),
            Objective("wer:tokeniser=none", refs),
            racing=racing,
            seed=trial,
        )
        evaluate({"seed": 0})
        evaluate({"seed": 1})
        given_up += evaluate.history[1].segments == 50
    assert given_up / 120 <= 0.05 + 2.5 * math.sqrt(0.05 * 0.95 / 120)


def test_a_twin_is_not_decoded_to_the_end() -> None:
    calls = []

    def twin(parameters: Mapping[str, float], segments: np.ndarray) -> list[str]:
        calls.append((parameters["x"], len(segments)))
        return damaged(segments, 0.2, seed=1)

    evaluate = RacingEvaluator(twin, objective(), seed=1)
    first = evaluate({"x": 0})
    assert evaluate({"x": 1}) == pytest.approx(first)
    assert evaluate.history[1].verdict == "near"
    assert evaluate.history[1].segments == 50
    assert evaluate({"x": 1}) == pytest.approx(first)  # known: not decoded again
    assert calls == [(0, N), (1, 50)]


@pytest.mark.parametrize("method", ["nelder-mead", "powell"])
def test_racing_ends_where_no_racing_ends_for_half_the_segments(method: str) -> None:
    found, values, segments = [], [], []
    for race in (True, False):
        evaluate = RacingEvaluator(run, objective(), racing=Racing(race=race, samples=499), seed=1)
        best = search_parameters(evaluate, PARAMETERS, method=method, evaluations=60)
        found.append(best)
        values.append(evaluate.best.value)
        segments.append(evaluate.segments)
    assert abs(values[0] - values[1]) < 1.0
    assert values[0] > run_value({"x": 0.0, "limit": 10}) + 10
    assert 2 * segments[0] <= segments[1]
    assert all(abs(best["limit"] - 5) <= 1 and best["limit"] == round(best["limit"]) for best in found)
    told = evaluate.result().to_dict()
    assert told["rows"][0]["segments"] == N
    assert told["meta"]["looks"] == 0


def run_value(parameters: Mapping[str, float]) -> float:
    goal = objective()
    return goal.metric.corpus_value(run(parameters, np.arange(N)), goal.refs)


def test_a_budget_of_effort_is_kept() -> None:
    """A wider beam is better and dearer: the penalised search stays within its budget."""

    def beam(parameters: Mapping[str, float], segments: np.ndarray) -> Output:
        width = parameters["beam"]
        return Output(damaged(segments, 0.5 / width**0.5, seed=1), effort=width * len(segments))

    evaluate = RacingEvaluator(beam, objective(), racing=Racing(samples=199), seed=1, budget=6.0)
    best = search_parameters(evaluate, [Parameter("beam", 3, 1, 50, integer=True)], evaluations=30)
    assert best["beam"] == 6
    free = RacingEvaluator(beam, objective(), racing=Racing(samples=199), seed=1)
    assert search_parameters(free, [Parameter("beam", 3, 1, 50, integer=True)], evaluations=30)["beam"] > 6
    with pytest.raises(DataError, match="above 0"):
        RacingEvaluator(beam, objective(), budget=0.0)


def test_any_program_can_be_raced() -> None:
    script = (
        "import sys\nfor line in sys.stdin:\n    words = line.split()\n    print(' '.join(words[: int(sys.argv[1])]))\n"
    )
    refs = [f"a{i} b{i} c{i} d{i} e{i} f{i}" for i in range(60)]
    keep = Parameter("keep", 4, 1, 6, integer=True)
    decoder = CommandDecoder([sys.executable, "-c", script, "{keep}"], refs, parameters=[keep])
    evaluate = RacingEvaluator(decoder, Objective("bleu:tokeniser=none", [refs]), seed=1)
    assert search_parameters(evaluate, [keep], evaluations=12) == {"keep": 6}
    assert evaluate.best.value == pytest.approx(100)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["/no/such/decoder"], "could not be started"),
        ([sys.executable, "-c", "import sys; sys.exit('no model')"], "ended with code 1: no model"),
        ([sys.executable, "-c", "print('one line')"], "wrote 1 lines for 2 segments"),
    ],
)
def test_what_a_program_may_not_do(command: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        CommandDecoder(command, ["a", "b"])({}, np.arange(2))


def test_wrong_calls_are_named() -> None:
    evaluate = RacingEvaluator(run, objective())
    with pytest.raises(DataError, match="Nothing has been evaluated"):
        _ = evaluate.best
    with pytest.raises(DataError, match="no parameters"):
        search_parameters(evaluate, [])
    with pytest.raises(DataError, match="nelder-mead or powell, got 'magic'"):
        search_parameters(evaluate, PARAMETERS, method="magic")
    with pytest.raises(DataError, match="starts at 3, outside its range 0 … 2"):
        Parameter("x", 3, 0, 2)
    with pytest.raises(DataError, match="list of words"):
        CommandDecoder("decode", [])
    with pytest.raises(DataError, match="3 lines for 400 segments"):
        RacingEvaluator(lambda _p, _s: ["a"] * 3, objective())({"x": 1})
