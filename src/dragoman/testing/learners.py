"""What every learner of quality estimates promises."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dragoman.errors import DataError
from dragoman.learn import LEARNERS, Learner
from dragoman.qe import FeatureTable, QEModel, learn_scores
from dragoman.testing.contract import Contract, raises

__all__ = ["LEARNER", "check_learner"]

LEARNER: Contract[Learner] = Contract("learner")


def check_learner(learner: Learner | str) -> None:
    """Check a learner, given as an object or by its name and options; it trains some twenty times on 60 sentences."""
    learner = LEARNERS.make(learner) if isinstance(learner, str) else learner
    LEARNER.check(learner, learner.name)


def quality_data(n: int = 60, *, seed: int = 3) -> tuple[FeatureTable, list[float]]:
    """Features of which two matter and one is the same everywhere, and HTER-like scores."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3)) * [1, 100, 1] + [0, 50, 7]
    y = np.clip(0.5 + 0.1 * x[:, 0] - 0.001 * (x[:, 1] - 50) + 0.02 * rng.normal(size=n), 0, 1)
    return FeatureTable.of(["a", "b", "noise", "same"], np.column_stack([x, np.full(n, 4.0)])), y.tolist()


@LEARNER.rule
def it_is_named_as_it_is_registered(learner: Learner) -> None:
    assert LEARNERS.get(learner.name) is type(learner)


@LEARNER.rule
def it_learns_and_is_the_same_after_saving(learner: Learner) -> None:
    features, scores = quality_data()
    model = learn_scores(learner, features, scores, task="hter", seed=5)
    scored = np.array(model.predict(features).scores)
    assert np.corrcoef(scored, scores)[0, 1] > 0.9
    assert ((scored >= 0) & (scored <= 1)).all()
    with TemporaryDirectory() as folder:
        model.save(Path(folder) / "model")
        again = QEModel.load(Path(folder) / "model")
        suffixes = {path.suffix for path in (Path(folder) / "model").iterdir()}
    assert again.predict(features) == model.predict(features)
    assert again.training == model.training
    assert again.recipe.to_dict() == model.recipe.to_dict()
    assert (again.names, again.seed, again.data) == (model.names, 5, model.data)
    assert (again.folds == model.folds).all()
    assert suffixes == {".json", ".npy"}


@LEARNER.rule
def training_again_gives_the_same_model(learner: Learner) -> None:
    features, scores = quality_data()
    one, two = (learn_scores(learner, features, scores, task="hter", seed=1) for _ in range(2))
    assert one.predict(features) == two.predict(features)
    assert one.training == two.training


@LEARNER.rule
def the_record_says_how_it_was_chosen(learner: Learner) -> None:
    features, scores = quality_data()
    training = learn_scores(learner, features, scores, task="hter").training
    assert min(error for _, error in training.tried) == {str(s): e for s, e in training.tried}[str(training.chosen)]
    np.testing.assert_allclose(training.measures["mae"][0], min(error for _, error in training.tried), rtol=1e-6)
    assert training.dropped == ("same",)
    assert (training.layout, training.n_folds, training.learner) == ("contiguous", 5, learner.name)
    np.testing.assert_allclose(training.train_mean, np.mean(scores), rtol=1e-6)
    assert "left out: same" in training.render()
    assert training.to_dict()["rows"][0]["measure"] == "mae"


@LEARNER.rule
def columns_are_known_by_name(learner: Learner) -> None:
    features, scores = quality_data()
    model = learn_scores(learner, features, scores, task="hter")
    turned = FeatureTable.of(features.names[::-1], features.values[:, ::-1])
    assert model.predict(turned) == model.predict(features)
    with raises(DataError, match="the 3 features it was trained on: b is missing; it was not trained on c"):
        model.predict(FeatureTable.of(["a", "c", "noise", "same"], features.values))
    with raises(DataError, match="it was not trained on more"):
        model.predict(FeatureTable.of([*features.names, "more"], np.zeros((2, 5))))
    with raises(DataError, match="a, b, noise are missing"):
        model.predict(FeatureTable.of(["same"], np.zeros((2, 1))))
    assert model.predict(FeatureTable.of(features.names, np.zeros((0, 4)))).scores == ()


@LEARNER.rule
def a_sentence_alone_is_scored_as_among_others(learner: Learner) -> None:
    features, scores = quality_data()
    model = learn_scores(learner, features, scores, task="hter")
    alone = [model.predict(FeatureTable.of(features.names, row[np.newaxis])).scores[0] for row in features.values[:5]]
    np.testing.assert_allclose(alone, model.predict(features).scores[:5], rtol=0, atol=1e-9)
    with raises(DataError, match=r"The feature 'b' of sentence 1 is nan, no number"):
        model.predict(FeatureTable.of(features.names, [[1.0, float("nan"), 1.0, 1.0]]))


@LEARNER.rule
def units_do_not_matter(learner: Learner) -> None:
    features, scores = quality_data()
    other = FeatureTable.of(features.names, features.values * 1000 - 3)
    one, two = (learn_scores(learner, each, scores, task="hter") for each in (features, other))
    np.testing.assert_allclose(one.predict(features).scores, two.predict(other).scores, rtol=0, atol=1e-6)


@LEARNER.rule
def what_cannot_be_learnt_is_named(learner: Learner) -> None:
    features, scores = quality_data(20)
    for wrong, message in [
        ([0.5] * 20, "All 20 scores are 0.5; there is nothing to learn"),
        ([None, *scores[1:]], "1 of 20 scores are missing or not finite, first in line 1"),
        ([*scores[:-1], 7], "line 20 has 7, outside the scale of hter, 0 to 1"),
        (scores[:-1], "got features=20, scores=19"),
    ]:
        with raises(DataError, match=message):
            learn_scores(learner, features, wrong, task="hter")  # type: ignore[arg-type]
    with raises(DataError, match=r"Every feature is the same in all 20 sentences \(x\)"):
        learn_scores(learner, FeatureTable.of(["x"], np.ones((20, 1))), scores, task="hter")
    with raises(DataError, match="4 sentences are too few for 5 folds"):
        learn_scores(learner, FeatureTable.of(["x"], [[1], [2], [3], [4]]), [0, 0.5, 1, 1], task="hter")
    if not learner.grid:
        return
    option = learner.grid[0]
    with raises(DataError, match=f"The option '{option}' of the learner {learner.name} lists numbers above 0, got"):
        LEARNERS.make(f"{learner.name}:{option}=-1")
    with raises(DataError, match=f"The option '{option}' is a number, got 'x'"):
        LEARNERS.make(f"{learner.name}:{option}=x")
