"""What metrics learn: weights, units, texts that hang together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from dragoman.lm import KneserNey
from dragoman.metrics import MetricTraining, TrainedMetric, as_test_set, make_metric
from dragoman.metrics.amber_tuning import AmberTuning, TunedAmber
from dragoman.metrics.coherence import CoherenceModel, CoherenceRecipe, ResponsivenessModel, ResponsivenessRecipe
from dragoman.metrics.coherence.model import cut_text
from dragoman.metrics.noref import NorefModels, NorefRecipe
from dragoman.metrics.training import TRAINABLE
from dragoman.metrics.units import UnitModels, UnitRecipe
from tests.fuzz.models.base import Seed, seed_of
from tests.metrics.coherence.test_model import STORIES
from tests.metrics.pivot_tables import SMALL, table_of
from tests.metrics.test_amber import judged
from tests.metrics.test_noref import SOURCES, TARGETS
from tests.metrics.test_training import BAD, GOOD, POOR, REFS, TEXT, rankings
from tests.text.wordnet_files import write_wordnet

__all__ = ["seeds"]

BY_RANKINGS = ("meteor", "terrorcat", "tesla-m")


def seeds() -> Iterator[Seed]:
    """Every metric that is trained, and the models of the others."""
    for name in TRAINABLE:
        yield Seed(f"trained-{name}", lambda folder, name=name: _train(folder, name), _score)  # type: ignore[misc]
    yield seed_of("amber", _tune, lambda path: TunedAmber.load(path).metric.segments(GOOD, [REFS]))
    yield seed_of("units", lambda: UnitRecipe(unit="morpheme").train(SOURCES, TARGETS), _units)
    yield seed_of("noref", lambda: NorefRecipe(n_classes=4).train(SOURCES, TARGETS), _noref)
    yield seed_of("coherence", _coherence, lambda path: CoherenceModel.load(path).score(cut_text(STORIES[:2], "en")))
    yield seed_of(
        "responsiveness", _responsiveness, lambda path: ResponsivenessModel.load(path).score(STORIES, [STORIES])
    )


def _train(folder: Path, name: str) -> object:
    pivots, lm, wordnet = (folder.parent / f"needed-{each}" for each in ("pivots", "lm", "wordnet"))
    if not wordnet.exists():
        table_of(SMALL).save(pivots)
        KneserNey(order=2).train(REFS).save(lm)
        write_wordnet(wordnet)
    options = {
        "pem": f":pivots={pivots},lm={lm}",
        "sagan": f":wordnet={wordnet}",
        "tesla-b": f":pivots={pivots}",
        "tesla-f": f":pivots={pivots},lms={lm}",
    }
    hyps = [*GOOD, *POOR, *BAD]
    text: Any = TEXT if name in BY_RANKINGS else as_test_set({"mine": hyps}, [REFS * 3])
    judgements: Any = rankings() if name in BY_RANKINGS else [float(n % 4) for n in range(len(hyps))]
    metric = make_metric(name + options.get(name, ""))
    return MetricTraining(evaluations=10).train(metric, text, judgements, seed=1).save(folder)


def _score(path: Path) -> object:
    trained = TrainedMetric.load(path)
    return trained.report().render(), make_metric(f"trained:{path}").segments(GOOD[:2], [REFS[:2]])


def _tune() -> TunedAmber:
    hyps, refs, judgements = judged()
    return AmberTuning(max_evaluations=5, restarts=0).train(as_test_set({"x": hyps}, [refs]), judgements, seed=3)


def _units(path: Path) -> object:
    models = UnitModels.load(path)
    return models.units("source", ["Die Katze", ""]), models.spans("target", ["the cat"]), models.sizes


def _noref(path: Path) -> object:
    models = NorefModels.load(path)
    return [models.scores(unit, SOURCES[:2], TARGETS[:2]) for unit in models.models], make_metric(
        f"noref:{path}"
    ).segments(TARGETS[:2], [TARGETS[:2]], SOURCES[:2])


@cache
def _coherence() -> CoherenceModel:
    return CoherenceRecipe(orders=4).train(cut_text(STORIES, "en"))


def _responsiveness() -> ResponsivenessModel:
    lines = [*STORIES, *(" ".join(story.split()[::-1]) for story in STORIES)]
    ratings = [5.0] * 6 + [3.0] * 6
    return ResponsivenessRecipe(kernel="rbf", n_folds=2).train(lines, [STORIES * 2], ratings, _coherence())
