from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError
from dragoman.qe import FeatureTable
from dragoman.qe.studies import ExperimentRecipe, ScoredFeatures, read_experiment, run_experiment
from dragoman.rng import Stream

N = 40


def data(n: int = N, label: str = "train") -> ScoredFeatures:
    x = Stream(1, label).uniform(3 * n).reshape(n, 3)
    table = FeatureTable.of(("lm-a", "lm-b", "length"), x)
    return ScoredFeatures.of(table, 0.2 + 0.5 * x[:, 0] + 0.1 * x[:, 2], "hter")


GRID = ExperimentRecipe(
    features={"all": ("*",), "models": ("lm-*",), "length": ("length",)},
    selectors={"none": (), "related": ("correlation:least=0.3",)},
    learners={"ridge": "ridge:alpha=1e-6", "blind": "lasso:alpha=1e3"},
)


def test_every_cell_is_there_and_the_best_is_first() -> None:
    found = run_experiment(GRID, data(), data(20, "test"))
    assert len(found.cells) == 12
    assert (found.cells[0].features, found.cells[0].learner) == ("all", "ridge")
    assert found.cells[0].test["mae"] == pytest.approx(0, abs=1e-4)
    blind = [cell for cell in found.cells if cell.learner == "blind"]
    assert all(cell.degenerate for cell in blind)
    assert [cell.degenerate for cell in found.cells] == sorted(cell.degenerate for cell in found.cells)
    assert {cell.n_features for cell in found.cells if cell.features == "all" and cell.learner == "ridge"} == {1, 3}


def test_a_constant_predictor_is_degenerate_whatever_its_error() -> None:
    grid = ExperimentRecipe(learners={"mean": "lasso:alpha=1e6"})
    (cell,) = run_experiment(grid, data()).cells
    assert cell.degenerate
    assert cell.low == cell.high


def test_cells_are_computed_once(tmp_path: Path) -> None:
    first = run_experiment(GRID, data(), folder=tmp_path / "figures")
    assert (first.n_read, len(list((tmp_path / "figures").iterdir()))) == (0, 12)
    next((tmp_path / "figures").iterdir()).unlink()  # as if the run had been stopped
    again = run_experiment(GRID, data(), folder=tmp_path / "figures")
    assert again.n_read == 11
    assert again.cells == first.cells
    assert run_experiment(GRID, data(label="other"), folder=tmp_path / "figures").n_read == 0
    assert run_experiment(GRID, data(), folder=tmp_path / "figures", seed=2).n_read == 0
    for path in (tmp_path / "figures").iterdir():
        path.write_text('{"features": "all"}')
    with pytest.raises(FormatError, match=r"no figures of a cell. Delete the file: they are computed again"):
        run_experiment(GRID, data(), folder=tmp_path / "figures")


def test_a_pattern_without_columns_is_a_mistake() -> None:
    with pytest.raises(DataError, match=r"The set 'x' asks for 'parse-\*', which no column is called: lm-a, lm-b"):
        run_experiment(ExperimentRecipe(features={"x": ("parse-*",)}), data())
    with pytest.raises(DataError, match="The set of features 'x' is empty"):
        run_experiment(ExperimentRecipe(features={"x": ()}), data())
    other = ScoredFeatures.of(FeatureTable.of(("a",), np.zeros((N, 1))), data().scores, "hter")
    with pytest.raises(DataError, match="The features of the test set are not those of the training set"):
        run_experiment(GRID, data(), other)


def write(folder: Path, grid: str) -> Path:
    train = data()
    lines = ["\t".join(train.features.names), *("\t".join(map(str, row)) for row in train.features.values.tolist())]
    (folder / "train.tsv").write_text("\n".join(lines) + "\n")
    (folder / "train.hter").write_text("".join(f"{score}\n" for score in train.scores.tolist()))
    (folder / "grid.toml").write_text(grid)
    return folder / "grid.toml"


FILE = """\
measure = "pearson"
[data]
train = "train.tsv"
train_scores = "train.hter"
[features]
models = ["lm-*"]
all = ["*"]
[learners]
ridge = "ridge:alpha=0.001"
"""


def test_a_file_says_it_all(tmp_path: Path) -> None:
    done = CliRunner().invoke(group, ["qe", "experiment", str(write(tmp_path, FILE)), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert [row["features"] for row in told["rows"]] == ["all", "models"]
    assert told["rows"][0]["selector"] == "none"
    assert told["meta"]["n_train"] == N


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ("", r"expected a table \[data\] with train \(features\) and train_scores"),
        (FILE + "[folds]\n", "folds is no part of an experiment. Known: task, measure"),
        (FILE.replace("[features]", "tests = 'a'\n[features]"), "data.tests is no part of an experiment"),
        (FILE.replace("[features]", "test = 'a'\n[features]"), "test and test_scores go together"),
        (FILE.replace("[features]", "columns = 'mine'\n[features]"), "no set of features is called 'mine'"),
        (FILE.replace('"ridge:alpha=0.001"', "1"), r"expected text in \[learners\], such as ridge"),
        (FILE.replace('["*"]', '"*"'), r"expected a list of text for all in \[features\]"),
        (FILE.replace('"train.tsv"', "1"), r"expected names of files in \[data\]"),
        (FILE + "[selectors]\n", r"expected a table \[selectors\] with at least one entry"),
    ],
)
def test_what_a_file_has_wrong_is_said(tmp_path: Path, grid: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_experiment(write(tmp_path, grid))


def test_studies_are_commands(tmp_path: Path) -> None:
    write(tmp_path, FILE)
    files = [str(tmp_path / name) for name in ("train.tsv", "train.hter")]
    for command in (
        ["census", files[0]],
        ["columns", *files],
        ["profile", files[1], files[1]],
        ["oracle", *files, files[1], "--splits", "1"],
    ):
        done = CliRunner().invoke(group, ["qe", "study", *command, "--json"])
        assert done.exit_code == 0, done.output
        assert json.loads(done.output)["rows"]
