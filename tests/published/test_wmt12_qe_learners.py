"""Learners on the 17 released features of WMT 2012's quality-estimation task, as its papers print them."""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import pytest

from dragoman.learn import LEARNERS
from dragoman.learn.selectors.base import correlations
from dragoman.qe import FeatureTable, evaluate, learn_scores, read_features
from dragoman.qe.features import BASELINE17
from dragoman.qe.files import read_scores
from dragoman.stats import delta_avg

pytestmark = pytest.mark.realdata

Task = tuple[FeatureTable, np.ndarray, FeatureTable, np.ndarray]


@pytest.fixture(scope="module")
def task(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Task:
    folder = tmp_path_factory.mktemp("wmt12-qe")
    found = []
    for part in ("training", "test"):
        with tarfile.open(data_folder / "wmt12-qe" / f"{part}_set_annotations.tar.gz") as opened:
            opened.extractall(folder, filter="data")
        found.append(read_features(data_folder / "wmt12-qe" / f"{part}.baseline17.tsv.gz", names=BASELINE17))
        found.append(np.array(read_scores(folder / f"{part}_set_annotations" / "target_system.effort")))
    return tuple(found)  # type: ignore[return-value]


def measured(task: Task, spec: str) -> tuple[float, ...]:
    """DeltaAvg, Spearman, MAE, RMSE on the test set."""
    train, scores, test, gold = task
    model = learn_scores(LEARNERS.make(spec), train, scores, task="effort")
    found = evaluate(gold, model.predict(test).scores, task="effort", trials=2)
    return tuple(found.value(measure) for measure in ("delta-avg", "spearman", "mae", "rmse"))


@pytest.mark.parametrize(
    ("spec", "mae", "rmse"),
    [
        ("ridge:alpha=1e-9,n_folds=2", 0.709, 0.851),
        ("lasso:alpha=0.003,n_folds=2", 0.710, 0.850),
        ("pls:components=5,n_folds=2", 0.717, 0.852),
    ],
)
def test_linear_models_are_far_from_dfkis_mars_and_pls_of_table_13(
    task: Task, spec: str, mae: float, rmse: float
) -> None:
    # Table 13 prints .82/.98 and .82/.99 for DFKI's entries, which is what saying the mean gives (.828/.990); the
    # released features alone do better.
    found = measured(task, spec)
    assert found[2:] == pytest.approx((mae, rmse), abs=0.0006)


def test_model_trees_reach_tcds_m5p_of_tables_12_and_13(task: Task) -> None:
    # "TCD M5P-resources-only", corrected: DeltaAvg .56, Spearman .58 (its paper) or .56 (Table 12), MAE .68, RMSE .82.
    # The setting is what cross-validation chooses of the default grid; SDL's tree had two equations as well.
    train, scores, test, gold = task
    model = learn_scores(LEARNERS.make("m5p:min_leaf=4,penalty=4"), train, scores, task="effort")
    assert model.training.size == {"equations": 2}
    found = evaluate(gold, model.predict(test).scores, task="effort", trials=2)
    printed = [f"{found.value(each):.2f}" for each in ("delta-avg", "spearman", "mae", "rmse")]
    assert printed == ["0.56", "0.58", "0.68", "0.82"]


def test_uppsalas_polynomial_kernel_on_17_features_row_d(task: Task) -> None:
    # Hardmeier et al. print .52 .55 .70 .83 for degree 2, C 8 on features scaled to [0, 1].
    spread = float(task[1].std())
    spec = f"polynomial-svr:scale=unit,degree=2,gamma=1,c={8 / spread},epsilon={0.1 / spread},n_folds=2"
    assert measured(task, spec) == pytest.approx((0.52, 0.55, 0.70, 0.83), abs=0.02)


def test_lorias_baseline_with_default_settings(task: Task) -> None:
    # Langlois et al., first row: development MAE .63, RMSE .79, of 1,000 sentences for training and 832 held out.
    train, scores, _, _ = task
    spread = float(scores[:1000].std())
    spec = f"svr:scale=symmetric,c={1 / spread},gamma={1 / 17},epsilon={0.1 / spread},n_folds=2"
    model = learn_scores(
        LEARNERS.make(spec), FeatureTable.of(train.names, train.values[:1000]), scores[:1000], task="effort"
    )
    said = model.predict(FeatureTable.of(train.names, train.values[1000:])).scores
    found = evaluate(scores[1000:], said, task="effort", trials=2)
    assert (found.value("mae"), found.value("rmse")) == pytest.approx((0.635, 0.793), abs=0.005)


def test_linear_regression_in_ten_contiguous_folds_as_tcd(task: Task) -> None:
    # Moreau & Vogel, B with linear regression: .408 .461 .614 .754, the mean of ten folds.
    training = learn_scores(LEARNERS.make("ridge:alpha=1e-9,n_folds=10"), task[0], task[1], task="effort").training
    means = [training.measures[each][1] for each in ("delta-avg", "spearman", "mae", "rmse")]
    assert means == pytest.approx([0.408, 0.461, 0.614, 0.754], abs=0.006)
    assert training.measures["delta-avg"][0] == pytest.approx(0.461, abs=0.003)  # all folds together


def test_correlations_with_effort_of_upcs_table_1(task: Task) -> None:
    # Pighin et al., BL/1 … BL/17.
    printed = [
        ".2620",
        ".2667",
        ".0623",
        ".3618",
        ".3544",
        ".2143",
        ".0351",
        ".2575",
        ".0889",
        ".2033",
        ".0001",
        ".2823",
        ".0741",
        ".2675",
        ".1368",
        ".1725",
        ".1824",
    ]
    found = np.abs(correlations(task[0].values, task[1]))
    assert [f"{each:.4f}".lstrip("0") for each in found] == printed


def test_single_features_rank_as_in_tcds_table(task: Task) -> None:
    # Moreau & Vogel print DeltaAvg .29 .33 .34 .39 .40 of the features 1, 8, 12, 5, 4.
    for number, sign, printed in [(1, -1, ".29"), (8, -1, ".33"), (12, 1, ".34"), (5, 1, ".39"), (4, 1, ".40")]:
        found = delta_avg(task[1], sign * task[0].values[:, number - 1])
        assert f"{found:.2f}".lstrip("0") == printed


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["nets", "gp", "mars", "m5p"])
def test_other_learners_reach_the_baseline_of_tables_12_and_13(task: Task, spec: str) -> None:
    # Baseline 17FFs SVM: MAE .69, RMSE .82, DeltaAvg .55.
    delta, _, error, square = measured(task, spec)
    assert delta >= 0.545
    assert error <= 0.69
    assert square <= 0.825
