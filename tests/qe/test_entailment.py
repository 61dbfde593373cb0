"""Directions of entailment by two classifiers (Graham, Salehi & Baldwin, SemEval 2013)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data import Bitext
from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.qe import FeatureTable
from dragoman.qe.entailment import DIRECTIONS, EntailmentModel, EntailmentRecipe, features_of_direction, load_classifier
from dragoman.qe.features import extract_features
from dragoman.qe.recipes import FeatureRecipe, ResourceRecipe
from dragoman.qe.resources import build_resources, load_resources
from dragoman.samples import phrasebook
from dragoman.text import TOKENISERS


@pytest.fixture(scope="module")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> tuple[FeatureTable, list[str]]:
    """Sentence pairs of which a third is cut off on one side, on either side at another end, or on none."""
    sources, targets = (TOKENISERS.make("13a").tokenise(phrasebook()[lang]) for lang in ("de", "en"))
    long = [pair for pair in zip(sources, targets, strict=True) if min(len(line.split()) for line in pair) >= 6][:240]
    folder = tmp_path_factory.mktemp("resources") / "all"
    build_resources(Bitext.from_lines(sources, targets), folder, ResourceRecipe(also=("unaligned",)))
    labels, pairs = [], []
    for number, (source, target) in enumerate(long):
        label = ("bidirectional", "forward", "backward", "no_entailment")[number % 4]
        ahead, back = DIRECTIONS[label]
        one, other = source.split(), target.split()
        # What is cut off the source is said by the output alone, so that the source does not entail it.
        pairs.append(
            (" ".join(one if ahead else one[: -len(one) // 3]), " ".join(other if back else other[len(other) // 3 :]))
        )
        labels.append(label)
    recipe = FeatureRecipe(features=("clte13",), check_languages=False)
    table = extract_features([s for s, _ in pairs], [t for _, t in pairs], recipe, resources=load_resources(folder))
    return table, labels


def test_each_direction_sees_the_side_that_may_say_more() -> None:
    names = ["unaligned-content", "unaligned-content:on=source", "numbers-kept:on=target", "crossings", "my own column"]
    assert features_of_direction(names, "forward") == [names[0], *names[2:]]
    assert features_of_direction(names, "backward") == [names[1], *names[3:]]


def test_synthetic_pairs_reach_70_percent_each_way_and_more_than_chance_together(
    synthetic: tuple[FeatureTable, list[str]], tmp_path: Path
) -> None:
    table, labels = synthetic
    model = EntailmentRecipe().train(table, labels)
    for direction in ("forward", "backward"):
        assert model.training.value("accuracy", f"held out, {direction}") >= 0.7
    assert model.training.value("accuracy") > 0.45
    assert max(model.training.value("accuracy", f"always {name}") for name in DIRECTIONS) == pytest.approx(0.25)
    loaded = load_classifier(model.save(tmp_path / "model"))
    assert isinstance(loaded, EntailmentModel)
    found = loaded.predict(table)
    assert found == model.predict(table)
    assert all(
        label == found.classes[int(np.argmax(scores))] for label, scores in zip(found.labels, found.scores, strict=True)
    )


def test_symmetric_features_alone_say_both_or_neither(synthetic: tuple[FeatureTable, list[str]]) -> None:
    table, labels = synthetic
    names = [name for name in table.names if name.startswith("replaced-words")]
    symmetric = FeatureTable.of(names, np.column_stack([table.column(name) for name in names]))
    # The same labels for both answers leave the classifiers nothing to differ by.
    same = ["bidirectional" if DIRECTIONS[label][0] else "no_entailment" for label in labels]
    assert set(EntailmentRecipe().train(symmetric, same).predict(symmetric).labels) <= {
        "bidirectional",
        "no_entailment",
    }


def test_other_labels_are_named() -> None:
    table = FeatureTable.of(["a"], np.arange(20.0).reshape(20, 1))
    with pytest.raises(DataError, match=r"No directions of entailment: 'yes' \(2\)\. They are called backward, "):
        EntailmentRecipe().train(table, ["forward", "yes", *["backward"] * 18])
    with pytest.raises(DataError, match="In all 20 sentences forward is yes"):
        EntailmentRecipe().train(table, ["forward"] * 20)
    one_side = FeatureTable.of(["unaligned-content:on=source"], table.values)
    with pytest.raises(DataError, match="No feature tells of the target"):
        EntailmentRecipe().train(one_side, ["forward", "backward"] * 10)


def test_the_command(synthetic: tuple[FeatureTable, list[str]], tmp_path: Path) -> None:
    table, labels = synthetic
    write_lines(tmp_path / "labels", labels)
    (tmp_path / "t.tsv").write_text(table.render("tsv"), encoding="utf-8")
    features, gold, model = str(tmp_path / "t.tsv"), str(tmp_path / "labels"), str(tmp_path / "m")
    done = CliRunner().invoke(
        group, ["qe", "classify", "--train", features, gold, "-m", model, "--directions", "--json"]
    )
    assert done.exit_code == 0, done.output
    assert {row["prediction"] for row in json.loads(done.output)["rows"]} >= {"held out, forward", "held out, backward"}
    done = CliRunner().invoke(group, ["qe", "classify", features, "-m", model, "--json"])
    assert {row["label"] for row in json.loads(done.output)["rows"]} <= set(DIRECTIONS)
    wrong = CliRunner().invoke(group, ["qe", "classify", features, "-m", model, "--directions"])
    assert wrong.exit_code == 2
    assert "--directions goes with --train" in wrong.output
