"""Labels of sentences by the learners of scores; documents from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.qe import FeatureTable
from dragoman.qe.classes import ClassModel, ClassRecipe, adequacy_labels


def planted(n: int, seed: int) -> tuple[FeatureTable, list[str]]:
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(n, 3))
    labels = [("forward", "backward", "none")[int(row[:2].argmax()) if row[:2].max() > 0 else 2] for row in x]
    return FeatureTable.of(["a", "b", "c"], x), labels


def test_labels_are_learnt_and_measured_beside_the_trivial(tmp_path: Path) -> None:
    (features, labels), (new, right) = planted(200, 1), planted(100, 2)
    model = ClassRecipe().train(features, labels)
    found = model.predict(new)
    accuracy = np.mean([a == b for a, b in zip(found.labels, right, strict=True)])
    assert accuracy > 0.75
    assert model.training.value("accuracy") > 0.75
    most = max(labels.count(name) for name in model.classes) / 200
    trivial = [model.training.value("accuracy", f"always {name}") for name in model.classes]
    assert max(trivial) == pytest.approx(most)
    model.save(tmp_path / "m")
    again = ClassModel.load(tmp_path / "m")
    assert again.predict(new) == found
    assert again.training == model.training


def test_adequacy_by_the_papers_rule() -> None:
    assert adequacy_labels([1, 2, 3, 4], least=3) == ["inadequate", "inadequate", "adequate", "adequate"]
    with pytest.raises(DataError, match="finite"):
        adequacy_labels([float("nan")], least=1)


def test_one_label_is_nothing_to_learn() -> None:
    with pytest.raises(DataError, match=r"2 of 4 labels are missing: 2, 4\. Leave these sentences out"):
        ClassRecipe().train(FeatureTable.of(["a"], np.arange(4.0).reshape(4, 1)), ["x", "", "y", " "])
    with pytest.raises(DataError, match="All 20 labels are x"):
        ClassRecipe().train(FeatureTable.of(["a"], np.arange(20.0).reshape(20, 1)), ["x"] * 20)


def _write(path: Path, content: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in content))
    return str(path)


def test_the_command_classifies(tmp_path: Path) -> None:
    features, labels = planted(60, 1)
    rows = ["a\tb\tc", *("\t".join(map(repr, row)) for row in features.values.tolist())]
    table, gold, model = _write(tmp_path / "t.tsv", rows), _write(tmp_path / "l", labels), str(tmp_path / "m")
    train = CliRunner().invoke(group, ["qe", "classify", "--train", table, gold, "-m", model])
    assert train.exit_code == 0, train.output
    assert "always none" in train.output
    said = str(tmp_path / "said")
    assert CliRunner().invoke(group, ["qe", "classify", table, "-m", model, "--labels", said]).exit_code == 0
    measured = CliRunner().invoke(group, ["qe", "evaluate", gold, said, "--task", "words", "--trials", "20", "--json"])
    assert measured.exit_code == 0, measured.output
    assert {row["measure"] for row in json.loads(measured.output)["rows"]} >= {"accuracy", "mcc"}
    assert "Give a table" in CliRunner().invoke(group, ["qe", "classify", "-m", model]).output


def test_the_command_scores_documents(tmp_path: Path) -> None:
    scores, names = _write(tmp_path / "s", ["0.1", "0.3", "0.5"]), _write(tmp_path / "d", ["x", "x", "y"])
    text = _write(tmp_path / "t", ["a", "a b c", "a"])
    found = CliRunner().invoke(group, ["qe", "documents", scores, "--documents", names, "--lengths-of", text, "--json"])
    rows = json.loads(found.output)["rows"]
    assert [(row["document"], row["sentences"]) for row in rows] == [("x", 2), ("y", 1)]
    assert [row["score"] for row in rows] == pytest.approx([0.25, 0.5])
    runs = json.loads(CliRunner().invoke(group, ["qe", "documents", scores, "--every", "2", "--json"]).output)
    assert [row["score"] for row in runs["rows"]] == pytest.approx([0.2, 0.5])
    assert "Say what the documents are" in CliRunner().invoke(group, ["qe", "documents", scores]).output
