"""The quality-estimation task of WMT 2012 (Findings, §6): gold standard, oracle and trivial figures as released."""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import pytest

from dragoman.data import read_judgements
from dragoman.files import read_lines
from dragoman.learn import LEARNERS
from dragoman.qe import effort_gold, evaluate, extract_features, learn_scores, read_features
from dragoman.qe.audit import audit_characters
from dragoman.qe.features import BASELINE17
from dragoman.qe.files import read_scores
from dragoman.qe.gold import effort_table
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.studies import post_edit_ceiling


@pytest.fixture(scope="module")
def released(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wmt12-qe")
    for archive in sorted((data_folder / "wmt12-qe").glob("*.tar.gz")):
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
    return folder


@pytest.mark.realdata
def test_oracle_and_mean_of_the_test_set(released: Path) -> None:
    gold = read_scores(released / "test_set_annotations" / "target_system.effort")
    train = read_scores(released / "training_set_annotations" / "target_system.effort")
    assert (len(gold), len(train)) == (422, 1832)
    found = evaluate(gold, gold, task="effort", train_mean=float(np.mean(train)), trials=20)
    assert f"{found.value('delta-avg', 'oracle'):.4f}" == "0.9533"  # Table 12 prints .95
    assert f"{found.value('mae', 'mean'):.3f} {found.value('rmse', 'mean'):.3f}" == "0.828 0.990"
    in_order = evaluate(train, train, task="effort", trials=5)
    assert f"{in_order.value('delta-avg'):.5f}" == "0.84595"


@pytest.mark.realdata
def test_the_oracle_by_hter_of_tables_12_and_13(released: Path) -> None:
    # Table 12: DeltaAvg .77, Spearman .70; Table 13, mapped into 1.5 to 5: MAE .56, RMSE .73. The tokens of Moses,
    # which the paper does not name, were found by these figures: with tokens as they come it is .70, .59, .66 and .85.
    found = post_edit_ceiling(
        read_lines(released / "test_set" / "target_system.spa"),
        read_lines(released / "test_set_annotations" / "target_postedited.spa"),
        read_scores(released / "test_set_annotations" / "target_system.effort"),
        tokeniser="moses:lang=es,escape=no",
    )
    line = found["hter"]
    printed = [f"{value:.2f}" for value in (line.delta_avg, line.spearman, line.mae, line.rmse)]
    assert printed == ["0.77", "0.70", "0.56", "0.73"]
    # (H)BLEU is printed with .71, .62, .61 and .84; how sentences without a 4-gram in common are smoothed is not.
    overlap = found["hbleu"]
    assert f"{overlap.mae:.2f}" == "0.61"
    assert overlap.delta_avg < line.delta_avg


@pytest.mark.realdata
def test_effort_scores_are_the_weighted_means_of_three_judges(released: Path) -> None:
    folder = released / "training_set_annotations"
    found = effort_gold(effort_table(read_judgements(folder / "target_system.effort3scores")), max_spread=None)
    assert [f"{weight:.2f}" for weight in found.weights] == ["0.33", "0.17", "0.50"]  # as in the released weights
    assert found.spreads == {0: 455, 1: 1093, 2: 284}
    effort = read_scores(folder / "target_system.effort")
    assert np.abs(np.array(found.values, dtype=float) - effort).max() < 0.05  # released with one decimal
    # The judges of the test set have the weights that the training set gave them.
    folder = released / "test_set_annotations"
    table = effort_table(read_judgements(folder / "target_system.effort3scores"))
    tested = effort_gold(table, weights=found.weights)
    assert len(tested.scored) == 422
    effort = read_scores(folder / "target_system.effort")
    assert np.abs(np.array(tested.values, dtype=float) - effort).max() < 0.05


# Shares of lines that equal the released files; none of the files says which tokeniser made them.
AGREE = {
    "source-length": (0.938, 0.969),
    "target-length": (0.961, 0.978),
    "source-word-length": (0.938, 0.969),
    "target-repetition": (0.963, 0.976),
    "source-punctuation": (0.998, 0.985),
    "target-punctuation": (0.998, 0.985),
}


@pytest.mark.realdata
@pytest.mark.parametrize(("part", "column"), [("training", 0), ("test", 1)])
def test_surface_features_are_the_released_ones(released: Path, data_folder: Path, part: str, column: int) -> None:
    official = read_features(data_folder / "wmt12-qe" / f"{part}.baseline17.tsv.gz", names=BASELINE17)
    found = extract_features(
        read_lines(released / f"{part}_set" / "source.eng"),
        read_lines(released / f"{part}_set" / "target_system.spa"),
        FeatureRecipe(
            compat="wmt12", source_tokeniser="moses:lang=en,escape=no", target_tokeniser="moses:lang=es,escape=no"
        ),
    )
    for name, shares in AGREE.items():
        ours, theirs = found.column(f"{name}:compat=wmt12"), official.column(name)
        assert np.isclose(ours, theirs, atol=1e-4).mean() > shares[column], name
        assert np.corrcoef(ours, theirs)[0, 1] > 0.96, name
    if part == "training":
        # Row 1, as the paper's files have it.
        assert found.values[0] == pytest.approx([13, 17, 5.4615383, 1.0625, 0, 0], abs=1e-6)


@pytest.mark.realdata
@pytest.mark.parametrize(
    "spec", ["svr:c=4+16,gamma=0.003+0.01,epsilon=0.5", pytest.param("svr", marks=pytest.mark.slow)]
)
def test_support_vectors_reach_the_published_baseline(released: Path, data_folder: Path, spec: str) -> None:
    # Table 12 and 13, "Baseline 17FFs SVM": DeltaAvg .55, Spearman .58, MAE .69, RMSE .82. Settings are chosen by
    # cross-validation on the training set; the test labels are looked at once, here.
    train, test = (
        read_features(data_folder / "wmt12-qe" / f"{part}.baseline17.tsv.gz", names=BASELINE17)
        for part in ("training", "test")
    )
    scores = read_scores(released / "training_set_annotations" / "target_system.effort")
    gold = read_scores(released / "test_set_annotations" / "target_system.effort")
    model = learn_scores(LEARNERS.make(spec), train, scores, task="effort")
    said = model.predict(test).scores
    found = evaluate(gold, {"svr": said}, task="effort", train_mean=model.training.train_mean, trials=100)
    assert found.value("mae", "svr") <= 0.69
    assert found.value("rmse", "svr") <= 0.82
    assert found.value("delta-avg", "svr") >= 0.55
    assert found.value("spearman", "svr") >= 0.57
    assert all(test.p < 0.05 for test in found.against)  # better than the mean


@pytest.mark.realdata
def test_the_quotation_marks_of_both_sets(released: Path) -> None:
    # Buck 2012, Table 4: “, ” and " in the sources
    found = audit_characters(
        {name: read_lines(released / f"{name}_set" / "source.eng") for name in ("training", "test")}
    )
    assert [found.count(mark, "training") for mark in '“”"'] == [0, 0, 641]
    assert [found.count(mark, "test") for mark in '“”"'] == [78, 76, 100]
    assert any("of training and" in warning for warning in found.warnings)
