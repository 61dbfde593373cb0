"""Pseudo-references and back-translation as features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.qe import FeatureTable
from dragoman.qe.features.agreement import agreement_features, join_features


def test_values_by_hand() -> None:
    found = agreement_features(["the cat sat"], [["The cat sits there"]])
    assert found.column("agreement-precision1") == pytest.approx([2.5 / 4])  # two of three words, half a match more
    assert found.column("agreement-recall1") == pytest.approx([2.5 / 5])
    assert found.column("agreement-precision2") == pytest.approx([1.5 / 3])
    assert found.column("agreement-recall4") == pytest.approx([0.5 / 2])
    assert found.column("agreement-ter") == pytest.approx([2 / 4])  # one word changed, one inserted
    assert found.column("agreement-length") == pytest.approx([4 / 3])
    logs = np.log([2.5 / 4, 1.5 / 3, 0.5 / 2, 0.5 / 1])
    assert found.column("agreement-precisions") == pytest.approx([logs.mean()])


def test_several_others_give_mean_most_and_least() -> None:
    outputs, others = ["a b c", ""], [["a b c", "x"], ["d e", ""]]
    alone = [agreement_features(outputs, [each]).values for each in others]
    found = agreement_features(outputs, others).values
    assert found == pytest.approx(np.hstack([np.mean(alone, axis=0), np.max(alone, axis=0), np.min(alone, axis=0)]))
    assert np.isfinite(found).all()
    assert (agreement_features(outputs, others, n_threads=7).values == found).all()


def test_wrong_input_is_named() -> None:
    with pytest.raises(DataError, match="no other translation to agree with"):
        agreement_features(["a"], [])
    with pytest.raises(DataError, match="Other translation 1 is one str"):
        agreement_features(["a"], ["a"])
    with pytest.raises(DataError, match="other translation 2"):
        agreement_features(["a"], [["a"], ["a", "b"]])
    with pytest.raises(DataError, match="twice"):
        join_features(FeatureTable.of(["x"], [[1.0]]), FeatureTable.of(["x"], [[2.0]]))


def test_the_command_adds_them(tmp_path: Path) -> None:
    for name, line in (("s", "das Haus"), ("t", "the house"), ("o", "the home"), ("b", "das Haus")):
        (tmp_path / name).write_text(f"{line}\n")
    s, t, o, b = (str(tmp_path / name) for name in "stob")
    found = CliRunner().invoke(group, ["qe", "features", s, t, "--other", o, "--back", b, "--form", "tsv"])
    assert found.exit_code == 0, found.output
    names, values = (line.split("\t") for line in found.output.splitlines()[:2])
    row = dict(zip(names, map(float, values), strict=True))
    assert row["agreement-ter"] == 0.5
    assert row["back-ter"] == 0
    assert row["source-length"] == 2


def test_named_engines_have_columns_of_their_own(tmp_path: Path) -> None:
    files = {name: str(tmp_path / name) for name in ("s", "t", "a", "b", "c")}
    for name, text in (("s", "x y"), ("t", "a b"), ("a", "a b"), ("b", "a c"), ("c", "d")):
        write_lines(files[name], [text])
    told = ["--other", f"rules={files['a']}", "--other", files["b"], "--other", files["c"]]
    found = CliRunner().invoke(group, ["qe", "features", files["s"], files["t"], *told, "--form", "tsv"])
    assert found.exit_code == 0, found.output
    head, row = (line.split("\t") for line in found.output.strip().split("\n"))
    values = dict(zip(head, map(float, row), strict=True))
    assert values["agreement-rules-ter"] == 0
    assert values["agreement-ter-least"] == pytest.approx(0.5)
    assert "agreement-rules-ter-most" not in values
