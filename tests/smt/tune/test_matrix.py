"""Tuning to several metrics and testing with all: what is told, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import read_lines, write_lines
from dragoman.smt import Engine
from dragoman.smt.tune import TuneMatrix, tune_matrix
from dragoman.smt.tuning import Tuning
from dragoman.stats.segments import sign_test

QUICK = Tuning(method="mert:rounds=1,starts=2", n_best=20)


@pytest.fixture(scope="module")
def parts(dev: TestSet) -> tuple[TestSet, TestSet]:
    """A tuning set and a test set."""
    assert dev.srcs is not None
    halves = [TestSet(srcs=dev.srcs[cut], refs={"ref": dev.refs["ref"][cut]}) for cut in (slice(0, 20), slice(20, 50))]
    return halves[0], halves[1]


@pytest.fixture(scope="module")
def matrix(engine: Engine, parts: tuple[TestSet, TestSet]) -> TuneMatrix:
    metrics = ["bleu", "tesla-m:lang=de", "meteor:lang=de"]
    return tune_matrix(engine, *parts, metrics, also=["ter"], tuning=QUICK)


def test_a_row_for_each_tuning_and_a_column_for_each_test(matrix: TuneMatrix) -> None:
    table, tests, lengths, differing = matrix.tables()
    assert [row[0] for row in table.rows] == ["bleu", "tesla-m", "meteor"]
    assert [column.name for column in table.columns][1:] == ["bleu", "tesla-m:de", "meteor:de", "ter"]
    assert len(tests.rows) == 4 * 3, "metrics times pairs"
    assert [row[0] for row in lengths.rows] == ["bleu", "tesla-m", "meteor", "ref"]
    assert len(differing.rows) == 3
    assert all(0 <= row[3] <= 100 for row in differing.rows)


def test_the_sign_test_counts_segments(matrix: TuneMatrix) -> None:
    pair = matrix.comparison.all_pairs[0]
    scores = matrix.comparison.segments.scores[0]
    gaps = scores[1] - scores[0]
    assert (pair.system, pair.baseline) == ("tesla-m", "bleu")
    assert matrix.sign_p(pair) == sign_test(int((gaps > 0).sum()), int((gaps < 0).sum()))


def test_each_tuning_was_to_its_own_metric(matrix: TuneMatrix) -> None:
    assert [each.label for each in matrix.tunings.values()] == ["BLEU", "TESLA-M", "METEOR"]
    assert all(np.isfinite(list(each.weights.values())).all() for each in matrix.tunings.values())


def test_what_is_refused(engine: Engine, parts: tuple[TestSet, TestSet]) -> None:
    dev, test = parts
    with pytest.raises(DataError, match="needs at least two metrics to tune to"):
        tune_matrix(engine, dev, test, ["bleu"])
    with pytest.raises(DataError, match="has one segment or none"):
        tune_matrix(engine, dev, TestSet(srcs=["a"], refs={"ref": ["b"]}))
    with pytest.raises(DataError, match="A tuning or test set needs a source"):
        tune_matrix(engine, dev, TestSet(refs={"ref": ["b", "c"]}))


def test_the_command(model: Path, parts: tuple[TestSet, TestSet], tmp_path: Path) -> None:
    arguments = ["smt", "tune-matrix", "-m", str(model)]
    for name, part in zip(("dev", "test"), parts, strict=True):
        assert part.srcs is not None
        write_lines(tmp_path / f"{name}.en", part.srcs)
        write_lines(tmp_path / f"{name}.de", [line or "" for line in part.refs["ref"]])
        arguments += [f"--{name}-src", str(tmp_path / f"{name}.en"), f"--{name}-ref", str(tmp_path / f"{name}.de")]
    arguments += ["--metric", "bleu", "--metric", "bleu+1", "--method", "mert:rounds=1,starts=0", "--n-best", "10"]
    result = CliRunner().invoke(group, [*arguments, "--to", str(tmp_path / "out"), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["kind"] == "tune matrix"
    assert [row["tuned_to"] for row in told["rows"]] == ["bleu", "bleu+1"]
    assert set(told["meta"]["tunings"]) == {"bleu", "bleu+1"}
    assert len(read_lines(tmp_path / "out" / "bleu.txt")) == 30
